/** One query larger than a block may be: refused with the figures of the data, and not before it has to be. */
import { describe, expect, it } from 'vitest';
import { BlockWriter } from '#listwise/data/feature-blocks.js';

const WIDTH = 10;
/** Room for 784 rows of ten features, with 16 between the columns. */
const MOST = 4 * WIDTH * 800;

/** Pieces of one query, so many rows each. */
function append(rows: readonly number[]): BlockWriter {
  const writer = new BlockWriter(0, MOST / 8, undefined, MOST);
  for (const count of rows) {
    const columns = new Float32Array(WIDTH * count).fill(1);
    writer.append({ width: WIDTH, stride: count, columns }, 0, count, 0);
  }
  return writer;
}

describe('one query in a block', () => {
  it('may fill the block, although twice the block before it would be too much', () => {
    const [block] = append([500, 280, 4]).finish(WIDTH, [784]);
    expect(block).toMatchObject({ rows: 784, stride: 800 });
    expect(block!.data.filter(value => value === 1)).toHaveLength(784 * WIDTH);
  });

  it('is refused beyond that, with the documents that were found', () => {
    const refused =
      'one query has at least 785 documents of 10 features, and a block of 0.0 GiB holds 784 of one query';
    expect(() => append([500, 280, 5])).toThrow(refused);
    expect(() => append([785])).toThrow(refused);
  });

  it('is refused where not even a row fits', () => {
    const wide = { width: 1 << 30, stride: 1, columns: new Float32Array(0) };
    expect(() => new BlockWriter(0, 1 << 24).append(wide, 0, 1, 0)).toThrow(
      expect.objectContaining({
        code: 'data-too-large',
        message: expect.stringMatching(/at least 1 documents of 1073741824 features.* 2\.0 GiB holds 0|take 4\.0 GiB/),
      }),
    );
  });
});
