/** Checkpoints to damage, of every trainer: what they are gone on to is the same model or a coded error. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListwiseError } from '#listwise/errors.js';
import { printModel } from '#listwise/models/model-file.js';
import type { Random } from '#listwise/numeric/random.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { malform } from '../mutations.js';
import { separable } from './small-data.js';

const data = separable(12, 10, 6);
const validate = separable(6, 10, 6, 2);

/** Name, options, the option that counts iterations, and the trainer where it is not the name. */
export const trainers: [string, Record<string, unknown>, string, string?][] = [
  ['trees', { leaves: 4, minDocuments: 5 }, 'trees'],
  ['forest', { leaves: 4 }, 'trees'],
  ['linear', {}, 'epochs'],
  ['net', { hidden: [3] }, 'epochs'],
  ['adarank', {}, 'rounds'],
  ['rankboost', {}, 'rounds'],
  ['svm', {}, 'rounds'],
  ['coordinate', { tolerance: 0 }, 'cycles'],
  ['dropout', { leaves: 4, minDocuments: 5, dropRate: 0.5 }, 'trees', 'trees'],
  ['seldom evaluated', { leaves: 4, minDocuments: 5, evaluateEvery: 5 }, 'trees', 'trees'],
  ['restarts', { rateFactor: 0.5, restartAfter: 1 }, 'epochs', 'linear'],
  ['positions', { loss: 'ndcg', form: 'positions' }, 'rounds', 'svm'],
];

/**
 * The text with its state made such as no run writes it, and the checksum right. Undefined where chance found nothing
 * to change.
 */
export function malformed(text: string, random: Random): string | undefined {
  const { checksum: _, ...content } = JSON.parse(text);
  malform(content, 'state', random);
  const changed = signed(`${JSON.stringify(content).slice(0, -1)},"checksum":""}\n`);
  return changed === text ? undefined : changed;
}

/** The text with its checksum made right. */
export function signed(text: string): string {
  const content = `${text.replace(/,"checksum":"[^"]*"\}\n?$/, '')}}`;
  return `${content.slice(0, -1)},"checksum":"${createHash('sha256').update(content).digest('hex')}"}\n`;
}

/** A checkpoint of two iterations in a folder of its own. */
export class GoodCheckpoint {
  readonly #settings: (count: number) => NamedSettings;
  readonly #file: string;
  /** Its text, and the model that comes of it after a third iteration. */
  text = '';
  #wanted = '';

  constructor(directory: string, [name, options, iterations, model = name]: (typeof trainers)[number]) {
    this.#file = join(directory, 'checkpoint.json');
    this.#settings = count => ({
      model,
      data,
      validate,
      threads: 1,
      options: { ...options, [iterations]: count },
      checkpoint: { directory, resume: true },
    });
  }

  async write(): Promise<this> {
    rmSync(this.#file, { force: true }); // a damaged one of before
    await trainNamed(this.#settings(2));
    this.text = readFileSync(this.#file, 'utf8');
    this.#wanted = printModel((await trainNamed(this.#settings(3))).model);
    return this;
  }

  /** Goes on from another text in its place; an error that is not coded is thrown, `failed` is any other. */
  async goOn(text: string): Promise<'same' | 'another' | 'refused' | 'failed'> {
    writeFileSync(this.#file, text);
    try {
      return printModel((await trainNamed(this.#settings(3))).model) === this.#wanted ? 'same' : 'another';
    } catch (error) {
      if (!(error instanceof ListwiseError)) throw error;
      return error.code === 'checkpoint-invalid' ? 'refused' : 'failed';
    }
  }
}
