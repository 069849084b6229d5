/** A damaged checkpoint gives the same model or a coded error: never another model, never a hang, never a stack. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The text with its checksum made right. */
function signed(text: string): string {
  const content = `${text.replace(/,"checksum":"[^"]*"\}\n?$/, '')}}`;
  return `${content.slice(0, -1)},"checksum":"${createHash('sha256').update(content).digest('hex')}"}\n`;
}

describe('a checkpoint that was changed, its checksum too', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'checkpoint.json');
  const settings = (model: string, options: Record<string, unknown>): NamedSettings => ({
    model,
    data,
    validate,
    threads: 1,
    options,
    checkpoint: { directory, resume: true },
  });
  const refused = expect.objectContaining({ code: 'checkpoint-invalid' });

  it.each([
    ['a child that is its own parent', /"left":\[-?\d+/, '"left":[0'],
    ['a feature that is not there', /"feature":\[\d+/, '"feature":[60000000'],
    ['a leaf value that is no number', /"float64":"[^"]*"/, '"float64":"AAAAAAAA+H8AAAAAAAD4fwAAAAAAAPh/AAAAAAAA+H8="'],
    ['no nodes', /"grown":\{/, '"grown":5,"other":{'],
    ['no log', /"log":\[/, '"log":5,"other":['],
  ])('%s: refused', async (_, what, other) => {
    rmSync(file, { force: true });
    await trainNamed(settings('trees', { trees: 2, leaves: 4, minDocuments: 5 }));
    const text = readFileSync(file, 'utf8');
    const changed = signed(text.replace(what, other));
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    await expect(trainNamed(settings('trees', { trees: 3, leaves: 4, minDocuments: 5 }))).rejects.toThrow(refused);
  });

  it.each(trainers)(
    'of %s gives a model or a coded error, never a stack or a hang',
    async (model, options, iterations) => {
      rmSync(file, { force: true });
      await trainNamed(settings(model, { ...options, [iterations]: 2 }));
      const good = readFileSync(file, 'utf8');
      const wrong: string[] = [];
      for (let number = 1; number < 2 * MUTATIONS; number += 8) {
        writeFileSync(file, signed(damaged(good, number)));
        await trainNamed(settings(model, { ...options, [iterations]: 3 })).catch(error => {
          if (!(error instanceof ListwiseError)) wrong.push(`${number}: ${error.stack}`);
        });
      }
      expect(wrong).toEqual([]);
    },
  );
});

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
