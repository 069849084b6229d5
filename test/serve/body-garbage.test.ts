import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BodyGarbage } from '#listwise/serve/body-garbage.js';

it('frees bodies that were answered, however little the heap has grown', async () => {
  const garbage = new BodyGarbage();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let i = 0; i < 400; i++) {
    garbage.add(Buffer.alloc(1 << 17).length);
    await turn();
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // 50 MB were read.
  expect(most).toBeLessThan(25 << 20);
});
