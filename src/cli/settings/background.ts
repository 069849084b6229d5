/** From the options on background documents to the documents. */
import type { FeatureBlock } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import type { Ranker } from '../../models/ranker.js';
import { readFor } from '../../models/read-for.js';
import { sampleRows } from '../../models/sample-rows.js';
import type { GlobalValues } from '../command/command.js';
import type { OptionValues } from '../command/option.js';
import type { backgroundOptions } from '../options/background.js';
import type { Output } from '../output.js';
import { type DataValues, modelMatch, readOptions } from './data.js';

export type BackgroundValues = OptionValues<typeof backgroundOptions> & DataValues & Pick<GlobalValues, 'seed'>;

/** Undefined where none is asked for. */
export async function readBackground(
  model: Ranker,
  options: BackgroundValues,
  output: Output,
): Promise<FeatureBlock | undefined> {
  const { background, backgroundSize, seed } = options;
  if (background === undefined) return undefined;
  const data = await readDataset(background, {
    ...readFor(model, await readOptions(options, output)),
    unlabelled: true,
  });
  return sampleRows(model, data, backgroundSize, { ...modelMatch(options, output), seed }).block;
}
