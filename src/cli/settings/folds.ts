/** The data and its folds: given ones, or random ones by query. */
import { kFold } from '../../data/folds.js';
import { type FoldedData, readLetor } from '../../data/letor.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { type Cut, LETOR, validationParts } from '../options/folds.js';
import type { Output } from '../output.js';
import { type DataValues, readOptions } from './data.js';

export async function readFolds(
  file: string,
  cut: Cut,
  options: DataValues,
  seed: number,
  output: Output,
): Promise<FoldedData> {
  const read = await readOptions(options, output);
  const validate = validationParts(cut);
  if (cut.folds === LETOR) return readLetor(file, read, { validate });
  const data = await readDataset(file, read);
  return { data, folds: kFold(data, cut.folds, seed, { validate }) };
}
