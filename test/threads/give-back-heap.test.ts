/** The heap's free memory is given back: garbage collection alone would keep it. */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { giveBackHeap } from '#listwise/threads/give-back-heap.js';

const forNewObjects = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.physical_space_size;

it('gives back what new objects took', async () => {
  let kept: object[] = [];
  for (let i = 0; i < 300_000; i++) {
    if (i % 50_000 === 0) kept = [];
    kept.push({ i, list: [i] });
  }
  expect(kept).toHaveLength(50_000);
  kept = [];
  const before = forNewObjects();
  await giveBackHeap();
  expect(forNewObjects()).toBeLessThan(before / 2);
});
