import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { collectGarbage } from '#listwise/threads/collect-garbage.js';
import { temporaryDirectory } from '../temporary.js';
import { sendMutated, serverToDamage } from './mutated-requests.js';

/** `npm run torture` sends many more. */
const REQUESTS = 2000;
const AT_A_TIME = 20;

it('damaged requests: no failure, nothing of others, and no memory kept', async () => {
  const { server, notes } = await serverToDamage(temporaryDirectory());
  let next = 0;
  const send = async (until: number) => {
    while (next < until) await sendMutated(server.url, new Random(next++, 'requests'));
  };
  const sendAll = (until: number) => Promise.all(Array.from({ length: AT_A_TIME }, () => send(until)));
  const heap = async () => {
    await sleep(50);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  await sendAll(REQUESTS / 4);
  const before = await heap();
  await sendAll(REQUESTS);
  const growth = (await heap()) - before;
  const text = await (await fetch(`${server.url}/metrics`)).text();
  await server.close();
  expect(notes.filter(note => note.includes('internal'))).toEqual([]);
  expect(text).toContain('listwise_open_requests 1\n');
  // Server, client and test share the heap.
  expect(growth).toBeLessThan(3e6);
}, 300_000);
