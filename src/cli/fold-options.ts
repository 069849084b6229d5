/** The flags that say how data is cut into folds, shared by the commands that train on folds. */

import { kFold } from '../data/folds.js';
import { type FoldedData, readLetor } from '../data/letor.js';
import { readDataset } from '../data/read/read.js';
import { ListwiseError, quote } from '../errors.js';
import type { CommandOption, OptionValues } from './command.js';
import { refuseFlags } from './contradictions.js';
import { dataOptions, readOptions } from './data-options.js';
import type { Output } from './output.js';

/** Folds that the data brings along. */
export const LETOR = 'letor';

/** A number of folds, or folds that the data brings along. */
export function foldCount(options: OptionValues): number | typeof LETOR {
  const text = String(options.folds);
  if (text === LETOR) return LETOR;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 2) return number;
  throw new ListwiseError(
    'option-invalid',
    `--folds is a whole number of at least 2, or ${LETOR} for a directory that comes with its folds, found ${quote(text)}`,
  );
}

/** `2,2,1`: how many parts train, validate and test. Every query is tested once: one part tests. */
export const partsOption: CommandOption = {
  flags: '--parts <train,validate,test>',
  description: `how many parts train, validate and test in a fold, such as 2,2,1 (default: all but one train; ${LETOR}: 3,1,1)`,
};

/** How many parts validate in a fold, where that is said. */
export function validationParts(options: OptionValues): number | undefined {
  if (options.parts === undefined) return undefined;
  const text = String(options.parts);
  const folds = foldCount(options);
  const parts = folds === LETOR ? 5 : folds;
  const [train = 0, validate = 0, test] = /^\d+,\d+,\d+$/.test(text) ? text.split(',').map(Number) : [];
  if (train >= 1 && test === 1 && train + validate + test === parts) return validate;
  throw new ListwiseError(
    'option-invalid',
    `--parts is TRAIN,VALIDATE,1, which add up to the ${parts} parts of --folds ${folds}, with at least 1 to train on, found ${quote(text)}`,
  );
}

/** The data and its folds: given ones, or random ones by query. */
export async function readFolds(
  file: string,
  options: OptionValues,
  seed: number,
  output: Output,
): Promise<FoldedData> {
  const folds = foldCount(options);
  const read = readOptions(options, output);
  if (folds === LETOR) {
    const sides = dataOptions.filter(({ flags }) => /^--(labels|group) /.test(flags));
    refuseFlags(options, sides, `--folds ${LETOR}: the files are several`);
    return readLetor(file, read, { validate: validationParts(options) });
  }
  const data = await readDataset(file, read);
  return { data, folds: kFold(data, folds, seed, { validate: validationParts(options) }) };
}
