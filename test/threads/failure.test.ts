import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { failureMessage, readFailure, writeFailure } from '#listwise/threads/failure.js';

const carried = (error: unknown) => {
  const message = failureMessage();
  writeFailure(message, error);
  return readFailure(message);
};

describe('failures of threads', () => {
  it('keep code, place and words of a mistake of the user', () => {
    const error = new ListwiseError('label-invalid', 'a “label”', { file: 'ö.txt', line: 3, column: 4 });
    const found = carried(error);
    expect(found).toBeInstanceOf(ListwiseError);
    expect(found).toMatchObject({ code: error.code, message: error.message, place: error.place });
  });

  it('keep where anything else was thrown', () => {
    const found = carried(new TypeError('no luck'));
    expect(found).not.toBeInstanceOf(ListwiseError);
    expect(found.message).toMatch(/TypeError: no luck\n +at .*failure\.test/);
    expect(carried('thrown').message).toBe('thrown');
  });

  it('are cut where they are long, in any script', () => {
    expect(carried('\u0001'.repeat(10_000)).message).toBe('\u0001'.repeat(1000));
    expect(carried('\u6f22'.repeat(10_000)).message).toBe('\u6f22'.repeat(1000));
  });
});
