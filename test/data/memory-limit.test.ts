import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { memoryLimit } from '#listwise/data/memory-limit.js';

it('is the memory of the container where that is less than the machine has', () => {
  expect(memoryLimit(8e9, 6e8)).toBe(6e8);
  expect(memoryLimit(8e9, 2 ** 64)).toBe(8e9);
  expect(memoryLimit(8e9, 0)).toBe(8e9);
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem());
});
