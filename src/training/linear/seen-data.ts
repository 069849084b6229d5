/**
 * The training data as trainers of linear models see it: documents that tie rank by a seeded hash (see
 * docs/decisions/ties-while-training.md), features are standardised as the model will have them.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import { LinearModel } from '../../models/linear/linear.js';
import { scoreData } from '../../models/ranker.js';
import { gatherValues } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import { reorderLabels, tieOrder } from '../boosting/rows/tie-order.js';
import { noStandardisation, type Standardisation, standardisationOf } from '../descent/standardise.js';
import type { TrainContext, TrainJob } from '../trainer.js';

export class SeenData {
  /** Labels, in the order of ties; no features. */
  readonly labels: Dataset;
  readonly #data: Dataset;
  readonly #order: Uint32Array;
  readonly #standardisation: Standardisation;

  constructor(data: Dataset, seed: number, standardisation: Standardisation) {
    this.#data = data;
    this.#order = tieOrder(data, seed);
    this.labels = reorderLabels(data, this.#order);
    this.#standardisation = standardisation;
  }

  /** The standardisation is that of the model to go on from where there is one. */
  static of(
    { data, from, options }: TrainJob<{ readonly standardise: boolean }>,
    { seed, ranks }: Pick<TrainContext, 'seed' | 'ranks'>,
  ): SeenData {
    const known = from instanceof LinearModel ? from : undefined;
    const found = known ?? (options.standardise ? standardisationOf(data, ranks) : noStandardisation(data.features));
    return new SeenData(data, seed, { mean: found.mean, scale: found.scale, missing: found.missing });
  }

  get features(): number {
    return this.#data.features;
  }

  get rows(): number {
    return this.#data.rows;
  }

  /** The values of a feature, by place in the order of ties. */
  column(feature: number, out: Float64Array): void {
    this.#standardise(feature, this.#data.column(feature), out, 0, this.rows);
  }

  /** From values by row to those of places `first` to `last`. */
  #standardise(feature: number, values: Float32Array, out: Float64Array, first: number, last: number): void {
    const { mean, scale, missing } = this.#standardisation;
    const order = this.#order;
    const [centre, unit, instead] = [mean[feature]!, scale[feature]!, missing[feature]!];
    for (let i = first; i < last; i++) {
      const value = values[order[i]!]!;
      out[i] = ((Number.isNaN(value) ? instead : value) - centre) / unit;
    }
  }

  /** Scores of the model with these weights, by place in the order of ties. */
  scores(weights: Float64Array, out: Float64Array): void {
    const scores = scoreData(this.model(weights), this.#data);
    for (let i = 0; i < scores.length; i++) out[i] = scores[this.#order[i]!]!;
  }

  model(weights: Float64Array): LinearModel {
    const { mean, scale, missing } = this.#standardisation;
    return new LinearModel({
      featureNames: this.#data.featureNames,
      weights,
      standardise: { mean, scale },
      missing,
    });
  }

  /** By feature, whether documents of some query differ in it, on any rank. */
  varying(ranks: Transport): boolean[] {
    const found = gatherValues(ranks, this.#varyingHere());
    return found[0]!.map((_, f) => found.some(own => own[f]));
  }

  /** Without two labels in any query, on any rank, a measure has nothing to tell rankings apart by but positions. */
  refuseAlike(trainer: string, source: string, ranks: Transport): void {
    const { positions } = this.labels;
    if (gatherValues(ranks, positions !== undefined || this.#labelsDiffer(source)).some(Boolean)) return;
    throw new ListwiseError(
      'training-without-lambda',
      `${trainer} finds nothing to learn: in no query do two documents have different labels (${source})`,
    );
  }

  #labelsDiffer(source: string): boolean {
    const { offsets, queries } = this.labels;
    const labels = this.labels.label(source);
    for (let q = 0; q < queries; q++) {
      for (let i = offsets[q]! + 1; i < offsets[q + 1]!; i++) if (!Object.is(labels[i], labels[i - 1])) return true;
    }
    return false;
  }

  #varyingHere(): boolean[] {
    const { offsets, queries } = this.labels;
    const column = new Float64Array(this.rows);
    return Array.from({ length: this.features }, (_, f) => {
      const values = this.#data.column(f);
      // Most features are known to vary after a query.
      for (let q = 0; q < queries; q++) {
        this.#standardise(f, values, column, offsets[q]!, offsets[q + 1]!);
        for (let i = offsets[q]! + 1; i < offsets[q + 1]!; i++) if (column[i] !== column[i - 1]) return true;
      }
      return false;
    });
  }
}

export function refuseConstant(varying: readonly boolean[]): void {
  if (varying.some(Boolean)) return;
  throw new ListwiseError(
    'data-empty',
    'there is nothing to learn from: every feature is constant within each query, so that none tells documents apart',
  );
}
