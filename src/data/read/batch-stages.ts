/** What `readInputs` does to a data set after it is read, done to one batch after another. */

import { BlockMemory } from '../feature-blocks.js';
import { type FeatureChoice, selectFeatures } from '../feature-subset.js';
import { findNormalisation, type Normalisation, normalise } from '../normalise.js';
import type { ReadOptions } from '../readers/reader.js';
import type { Batch, TakeBatch } from './batches.js';
import { LabelFiles } from './label-files.js';
import { keptFeatures, namedFeatures, numberedFeatures } from './numbered-features.js';

export class BatchStages {
  readonly #labels: LabelFiles;
  readonly #numbered: ReadOptions | undefined;
  readonly #choice: FeatureChoice | undefined;
  readonly #normalisation: Normalisation | undefined;
  readonly #memory = new BlockMemory();
  #rows = 0;

  private constructor(
    labels: LabelFiles,
    numbered: ReadOptions | undefined,
    choice: FeatureChoice | undefined,
    normalisation: Normalisation | undefined,
  ) {
    this.#labels = labels;
    this.#numbered = numbered;
    this.#choice = choice;
    this.#normalisation = normalisation;
  }

  /** `numbered`: whether features have names and are chosen here, not by the reader. */
  static async open(options: ReadOptions, numbered: boolean): Promise<BatchStages> {
    const { normalise: how } = options;
    const normalisation = how === undefined ? undefined : findNormalisation(how);
    return new BatchStages(
      await LabelFiles.open(options),
      numbered ? options : undefined,
      options.chosen,
      normalisation,
    );
  }

  /** Batches come in input order; for normalisation they have whole queries. */
  async apply(batch: Batch, take: TakeBatch): Promise<void> {
    const first = this.#rows;
    this.#rows += batch.data.rows;
    const labelled = { ...batch, data: await this.#labels.label(batch.data, first, batch.last) };
    const named = this.#numbered === undefined ? labelled : this.#name(labelled, this.#numbered);
    const chosen = this.#choice === undefined ? named : this.#choose(named, this.#choice);
    const { data } = chosen;
    const how = this.#normalisation;
    await take(how === undefined ? chosen : { ...chosen, data: normalise(data, how, this.#memory) });
    this.#memory.release();
  }

  #name(batch: Batch, options: ReadOptions): Batch {
    const names = namedFeatures(batch.featureNames, options);
    const kept = keptFeatures(names, options, batch.featuresKnown);
    return {
      ...batch,
      data: numberedFeatures(batch.data, options, false, this.#memory),
      featureNames: kept === undefined ? names : kept.map(f => names[f]!),
    };
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
