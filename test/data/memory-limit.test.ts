import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { mayTake, memoryLimit, refuseBeyondContainer, shareMemory } from '#listwise/data/memory-limit.js';

it('is the memory of the container where that is less than the machine has', () => {
  expect(memoryLimit(8e9, 6e8)).toBe(6e8);
  expect(memoryLimit(8e9, 2 ** 64)).toBe(8e9);
  expect(memoryLimit(8e9, 0)).toBe(8e9);
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem());
});

it('of a container counts what is taken already; of a machine the system does', () => {
  const rss = process.memoryUsage.rss();
  expect(mayTake(1, rss)).toBe(false);
  expect(mayTake(2 ** 20, 2 * rss + 2 ** 27)).toBe(true);
  expect(mayTake(8e9, 8e9, 8e9)).toBe(true);
  expect(() => refuseBeyondContainer(2 ** 30, rss)).toThrow(/training needs 1\.0 GiB more, of the \d+\.\d that/);
});

it('shares what a container has among ranks', () => {
  shareMemory(3);
  try {
    expect(memoryLimit(8e9, 6e8)).toBe(2e8);
    expect(memoryLimit(8e9, 0)).toBe(8e9);
    expect(() => refuseBeyondContainer(2 ** 30, 2 ** 28)).toThrow(/this container has for each of its ranks; train/);
  } finally {
    shareMemory(1);
  }
});
