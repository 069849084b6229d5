/** A damaged checkpoint gives the same model or a coded error: never another model, never a hang, never a stack. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { printModel } from '#listwise/models/model-file.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { damaged } from '../mutations.js';
import { temporaryDirectory } from '../temporary.js';
import { separable } from './small-data.js';

const data = separable(12, 10, 6);
const validate = separable(6, 10, 6, 2);
const MUTATIONS = 100;

const trainers: [string, Record<string, unknown>, string][] = [
  ['trees', { leaves: 4, minDocuments: 5 }, 'trees'],
  ['forest', { leaves: 4 }, 'trees'],
  ['linear', {}, 'epochs'],
  ['net', { hidden: [3] }, 'epochs'],
  ['adarank', {}, 'rounds'],
  ['rankboost', {}, 'rounds'],
  ['svm', {}, 'rounds'],
  ['coordinate', { tolerance: 0 }, 'cycles'],
];

describe.each(trainers)('a damaged checkpoint of %s', (model, options, iterations) => {
  it(`${MUTATIONS} of them: the same model or a coded error`, async () => {
    const directory = temporaryDirectory();
    const settings = (count: number): NamedSettings => ({
      model,
      data,
      validate,
      threads: 1,
      options: { ...options, [iterations]: count },
      checkpoint: { directory, resume: true },
    });
    await trainNamed(settings(2));
    const file = join(directory, 'checkpoint.json');
    const good = readFileSync(file, 'utf8');
    const wanted = printModel((await trainNamed(settings(3))).model);
    const wrong: string[] = [];
    let refused = 0;
    for (let number = 0; number < MUTATIONS; number++) {
      const text = damaged(good, number);
      writeFileSync(file, text);
      try {
        if (printModel((await trainNamed(settings(3))).model) !== wanted) wrong.push(`${number}: another model`);
      } catch (error) {
        refused++;
        if (!(error instanceof ListwiseError && error.code === 'checkpoint-invalid')) wrong.push(`${number}: ${error}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(MUTATIONS / 2);
  });
});
