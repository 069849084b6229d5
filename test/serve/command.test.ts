/** `listwise serve` as a process. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { printModel } from '#listwise/models/model-file.js';
import { start } from '../cli/run.js';
import { documents, linear, type Ranked, save } from './served.js';

describe('the command', () => {
  it('says where anybody may send requests', async () => {
    for (const [host, said] of [
      ['0.0.0.0', true],
      ['127.0.0.1', false],
    ] as const) {
      const child = start(['serve', save(linear(1)), '--port', '0', '--host', host]);
      let stderr = '';
      child.stderr.on('data', text => {
        stderr += text;
      });
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(stderr.includes('whoever reaches this address may send requests')).toBe(said);
    }
  });

  it('serves, loads again at SIGHUP, and answers what is there before it ends', async () => {
    const file = save(linear(1));
    const child = start(['serve', `main=${file}`, '--port', '0', '--watch', '0', '--json']);
    const { url } = JSON.parse(String((await once(child.stdout, 'data'))[0])) as { url: string };
    const score = async () => {
      const response = await fetch(`${url}/rank`, { method: 'POST', body: JSON.stringify({ documents }) });
      return ((await response.json()) as Ranked).documents[0]!.score;
    };
    expect(await score()).toBe(3);
    writeFileSync(file, printModel(linear(4)));
    child.kill('SIGHUP');
    for (let i = 0; i < 100 && (await score()) !== 12; i++) await sleep(20);
    expect(await score()).toBe(12);
    const body = JSON.stringify({ documents });
    const pending = httpRequest(`${url}/rank`, { method: 'POST', headers: { 'Content-Length': body.length } });
    pending.write(body.slice(0, 10));
    await sleep(100);
    child.kill('SIGTERM');
    await sleep(200);
    pending.end(body.slice(10));
    const [response] = (await once(pending, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect((await once(child, 'exit'))[0]).toBe(143);
  });
});
