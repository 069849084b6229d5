/** Inputs of svmlight-mutated.ts, always the same ones. */
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../../temporary.js';
import { readMutated } from './svmlight-mutated.js';

const INPUTS = 12_000;
const BATCHES = 12;
/** Of all inputs, how many are also read with several threads, which must be started for each. */
const THREADED_EVERY = 240;
const FILE_EVERY = 5;

const folder = temporaryDirectory();

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

describe(`${INPUTS} mutated inputs read like the reference says`, () => {
  for (let batch = 0; batch < BATCHES; batch++) {
    it(`batch ${batch + 1} of ${BATCHES}`, async () => {
      const random = new Random(batch, 'svmlight fuzz');
      const seen = { data: 0, errors: new Map<string, number>() };
      for (let i = 0; i < INPUTS / BATCHES; i++) {
        const threads = i % THREADED_EVERY === 0 ? 2 : 1;
        const expected = await readMutated(random, threads, i % FILE_EVERY === 0 ? folder : undefined);
        if (expected.length > 1) seen.data++;
        else count(seen.errors, expected[0]!.split(' ')[0]!);
      }
      // The inputs are worth reading: many are data, and every mistake of the format is among the others.
      expect(seen.data).toBeGreaterThan(INPUTS / BATCHES / 4);
      expect([...seen.errors.keys()].sort()).toEqual([
        'data-binary',
        'data-empty',
        'feature-duplicate',
        'feature-id-invalid',
        'feature-syntax',
        'feature-value-invalid',
        'label-invalid',
        'line-end-invalid',
        'query-missing',
      ]);
    });
  }
});
