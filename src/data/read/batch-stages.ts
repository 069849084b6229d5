/** What `readInputs` does to a data set after it is read, done to one batch after another. */

import { fileInput } from '../../io/inputs.js';
import { BlockMemory } from '../feature-blocks.js';
import { type FeatureChoice, readFeatureChoice, selectFeatures } from '../feature-subset.js';
import { findNormalisation, type Normalisation, normalise } from '../normalise.js';
import type { ReadOptions } from '../readers/reader.js';
import type { Batch, TakeBatch } from './batches.js';
import { LabelFiles } from './label-files.js';

export class BatchStages {
  readonly #labels: LabelFiles;
  readonly #choice: FeatureChoice | undefined;
  readonly #normalisation: Normalisation | undefined;
  readonly #memory = new BlockMemory();
  #rows = 0;

  private constructor(labels: LabelFiles, choice: FeatureChoice | undefined, normalisation: Normalisation | undefined) {
    this.#labels = labels;
    this.#choice = choice;
    this.#normalisation = normalisation;
  }

  static async open(options: ReadOptions): Promise<BatchStages> {
    const { featureSubset, normalise: how } = options;
    const normalisation = how === undefined ? undefined : findNormalisation(how);
    const choice = featureSubset === undefined ? undefined : await readFeatureChoice(await fileInput(featureSubset));
    return new BatchStages(await LabelFiles.open(options), choice, normalisation);
  }

  /** Batches come in input order; for normalisation they have whole queries. */
  async apply(batch: Batch, take: TakeBatch): Promise<void> {
    const first = this.#rows;
    this.#rows += batch.data.rows;
    const labelled = { ...batch, data: await this.#labels.label(batch.data, first, batch.last) };
    const chosen = this.#choice === undefined ? labelled : this.#choose(labelled, this.#choice);
    const { data } = chosen;
    const how = this.#normalisation;
    await take(how === undefined ? chosen : { ...chosen, data: normalise(data, how, this.#memory) });
    this.#memory.release();
  }

  #choose(batch: Batch, choice: FeatureChoice): Batch {
    const { data, featureNames, featuresKnown } = batch;
    const chosen = choice(featureNames, featuresKnown).map(f => featureNames[f]!);
    const kept = selectFeatures(data, choice(data.featureNames, false), this.#memory);
    return { ...batch, data: kept, featureNames: chosen };
  }

  close(): Promise<void> {
    return this.#labels.close();
  }
}
