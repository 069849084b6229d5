import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { gatherBlocks } from '#listwise/data/feature-blocks.js';
import { fingerprint } from '#listwise/data/fingerprint.js';
import { generateDataset } from '#listwise/data/generators/generate.js';

const data = generateDataset('mslr', { queries: 20, seed: 1 });

/** The same data with one thing changed. */
function changed(what: (copy: Dataset) => void): Dataset {
  const copy = data.with({
    blocks: data.blocks.map(block => ({ ...block, data: block.data.slice() })),
    labels: new Map([...data.labels].map(([name, values]) => [name, values.slice()])),
  });
  what(copy);
  return copy;
}

describe('fingerprint', () => {
  it('is 16 hexadecimal digits, the same for the same data', () => {
    expect(fingerprint(data)).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprint(changed(() => {}))).toBe(fingerprint(data));
  });

  it('does not depend on where blocks are cut', () => {
    const order = Uint32Array.from({ length: data.rows }, (_, row) => row);
    const small = data.with({ blocks: gatherBlocks(data.blocks, order, data.offsets, data.features, 1000) });
    expect(small.blocks.length).toBeGreaterThan(data.blocks.length);
    expect(fingerprint(small)).toBe(fingerprint(data));
  });

  it('takes every NaN for the same missing value', () => {
    const withNaN = (bits: number) =>
      fingerprint(
        changed(copy => {
          new Int32Array(copy.blocks[0]!.data.buffer, copy.blocks[0]!.data.byteOffset)[0] = bits;
        }),
      );
    expect(withNaN(0x7fc00001)).toBe(withNaN(-0x400000));
    expect(withNaN(0x7fc00001)).not.toBe(fingerprint(data));
  });

  it('changes with a feature, a label, a name, a weight', () => {
    const others = [
      changed(copy => {
        copy.blocks[0]!.data[0]! += 1;
      }),
      changed(copy => {
        copy.label()[3]! += 1;
      }),
      data.with({ featureNames: data.featureNames.map(name => `${name}x`) }),
      data.with({ queryIds: data.queryIds.map(name => `${name}x`) }),
      data.with({ rowWeights: new Float64Array(data.rows).fill(2) }),
      data.with({ positions: new Float64Array(data.rows).fill(2) }),
    ];
    const all = [data, ...others].map(fingerprint);
    expect(new Set(all).size).toBe(all.length);
  });
});
