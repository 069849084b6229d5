import { expect, it } from 'vitest';
import { shortMemory } from '#listwise/cli/what-is-missing.js';
import { fromFailure, toFailure } from '#listwise/threads/failure.js';

const failureOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it.each([
  ['an array', () => new Float64Array(2 ** 53 - 1)],
  ['memory', () => new ArrayBuffer(2 ** 52)],
  ['a text', () => 'long'.repeat(2 ** 28)],
  ['a map', () => new RangeError('Map maximum size exceeded')],
])('%s beyond what there is has a code', (_, work) => {
  expect(shortMemory(failureOf(work))).toMatchObject({ code: 'data-too-large' });
});

it('what WebAssembly says has a code too; any other error stays as it is', () => {
  const short = new RangeError('WebAssembly.Memory(): could not allocate memory');
  expect(shortMemory(short)).toMatchObject({ code: 'data-too-large' });
  const carried = fromFailure(toFailure(short));
  expect(shortMemory(carried), 'from a thread').toMatchObject({ message: expect.stringMatching(/^[^\n]*memory\)$/) });
  for (const error of [new RangeError('offset is out of bounds'), new Error('allocation failed'), undefined]) {
    expect(shortMemory(error)).toBe(error);
  }
});
