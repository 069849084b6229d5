/** The trainer by AdaRank: a linear model, one feature a round, for any measure between 0 and 1. */
import { z } from 'zod';
import { shareOf } from '../../data/share.js';
import { ListwiseError } from '../../errors.js';
import { aggregate, countedValue } from '../../measures/evaluate.js';
import { EvaluationCrew } from '../../measures/evaluation-crew.js';
import { arithmeticMean, type Measure } from '../../measures/measure.js';
import { LinearModel } from '../../models/linear/linear.js';
import type { Ranker } from '../../models/ranker.js';
import { gatherNumbers } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { refuseConstant, SeenData } from '../linear/seen-data.js';
import { count, floats, oneOf } from '../state-schema.js';
import { defineTrainer, measureOf, type TrainContext, type TrainJob } from '../trainer.js';
import { type AdarankOptions, adarankOptions } from './options.js';
import { chooseRanker, meanOf, reweigh } from './round.js';

export const adarank = defineTrainer({
  name: 'adarank',
  title: 'AdaRank: a weighted sum of features, boosted for a measure.',
  needs: 'measure',
  makes: 'linear',
  options: adarankOptions,
  iterations: 'rounds',
  severalRanks: 'parts',
  async start(job, context) {
    const { threads, ranks } = context;
    const measure = measureOf(job);
    refuseUnbounded(measure);
    noteAggregate(measure, context);
    const seen = SeenData.of(job, context);
    refuseConstant(seen.varying(ranks));
    seen.refuseAlike('adarank', measure.labels, ranks);
    const portable = job.portable && { measures: [measure.spec], modules: job.modules };
    const values = new EvaluationCrew({
      data: seen.labels,
      measures: [measure],
      portable,
      ties: 'input',
      remember: true,
      threads,
    });
    return new AdarankLearner(job, seen, values, ranks);
  },
});

function refuseUnbounded({ spec, range: [least, most] }: Measure): void {
  if (least >= 0 && most <= 1) return;
  throw new ListwiseError(
    'option-invalid',
    `adarank trains for measures between 0 and 1; ${spec} is between ${least} and ${most}; set measure to another, such as ap`,
  );
}

/** Weights of queries follow from their own values, so that no other mean can be boosted. */
function noteAggregate({ spec, aggregate: { name } }: Measure, { note }: TrainContext): void {
  if (name === arithmeticMean.name) return;
  note(`adarank trains for the arithmetic mean of what ${spec} says of a query; the log has its ${name}`);
}

interface AdarankState {
  readonly weights: Float64Array;
  /** What was added so far, round by round: feature, weight. Training scores are summed in this order. */
  readonly added: Float64Array;
  readonly distribution: Float64Array;
  /** The feature chosen last, in whichever direction, how often running, and those set aside. */
  readonly last: number;
  readonly running: number;
  readonly aside: readonly number[];
  readonly best: number;
  /** Rounds since the training measure was better than ever. */
  readonly still: number;
}

export class AdarankLearner implements Learner<AdarankState, Float64Array> {
  readonly keeps = 'best';
  readonly #job: TrainJob<AdarankOptions>;
  readonly #seen: SeenData;
  readonly #values: EvaluationCrew;
  readonly #ranks: Transport;
  /** By weak ranker, the measure of each query; from the first step on, and then scores are those of the model. */
  #table: readonly Float64Array[] | undefined;
  readonly #column: Float64Array;
  #state: AdarankState;

  constructor(job: TrainJob<AdarankOptions>, seen: SeenData, values: EvaluationCrew, ranks: Transport) {
    this.#job = job;
    this.#seen = seen;
    this.#values = values;
    this.#ranks = ranks;
    this.#column = new Float64Array(seen.rows);
    const weights = job.from instanceof LinearModel ? job.from.weights.slice() : new Float64Array(seen.features);
    const [added, distribution] = [new Float64Array(0), new Float64Array(0)];
    this.#state = { weights, added, distribution, last: -1, running: 0, aside: [], best: -Infinity, still: 0 };
  }

  *step(_: number): Steps<StepRecord> {
    const { options, select, measure } = this.#job;
    if (this.#table === undefined) {
      this.#table = yield* this.#singleFeatures();
      this.#scoreAnew();
    }
    if (this.#state.distribution.length === 0) yield* this.#begin(this.#table[0]!);
    const { weights: before, distribution, best, ...state } = this.#state;
    const aside = new Set(state.aside);
    if (options.aside > 0 && state.running >= options.aside) aside.add(state.last);
    // Where every feature was set aside, all come back.
    if (aside.size === this.#seen.features) aside.clear();
    const pairs = distribution.reduce((count, p) => count + Number(p > 0), 0);
    const isAside = (ranker: number) => aside.has(this.#feature(ranker));
    const chosen = pairs === 0 ? undefined : chooseRanker(this.#table, distribution, isAside);
    if (chosen === undefined) return { pairs: 0, rate: 0, last: true };
    const { ranker, phi, alpha } = chosen;
    const weights = before.slice();
    const feature = this.#feature(ranker);
    const weight = ranker % this.#directions === 0 ? alpha : -alpha;
    weights[feature]! += weight;
    this.#add(feature, weight);
    const values = yield* this.#evaluate();
    const mean = meanOf(values);
    const training = this.#whole(values);
    const better = mean > best + options.tolerance;
    const still = better ? 0 : state.still + 1;
    this.#state = {
      weights,
      added: Float64Array.of(...state.added, feature, weight),
      distribution: reweigh(values),
      last: feature,
      running: feature === state.last ? state.running + 1 : 1,
      aside: better ? [] : [...aside],
      best: Math.max(best, mean),
      still,
    };
    const isSelected = select.measures.length === 1 && select.measures[0]!.spec === measure!.spec;
    return {
      pairs,
      rate: alpha,
      cost: 1 - mean,
      ...(isSelected && { training: [training] }),
      facts: { feature: feature + 1, phi, training },
      last: options.stall > 0 && still >= options.stall,
    };
  }

  get #directions(): number {
    return this.#job.options.directions === 'both' ? 2 : 1;
  }

  #feature(ranker: number): number {
    return Math.floor(ranker / this.#directions);
  }

  *#singleFeatures(): Steps<Float64Array[]> {
    const both = this.#directions === 2;
    const table: Float64Array[] = [];
    for (let f = 0; f < this.#seen.features; f++) {
      this.#seen.column(f, this.#values.scores);
      table.push(yield* this.#evaluate());
      if (!both) continue;
      const { scores } = this.#values;
      for (let i = 0; i < scores.length; i++) scores[i] = -scores[i]!;
      table.push(yield* this.#evaluate());
    }
    return table;
  }

  /** The measure of each query, of all ranks, by the scores there are; NaN where it is undefined. */
  *#evaluate(): Steps<Float64Array> {
    yield* this.#values.steps();
    return gatherNumbers(this.#ranks, this.#values.values[0]!).slice();
  }

  /** What the measure says of all queries, as in evaluation: those it is undefined for count what it says, too. */
  #whole(values: Float64Array): number {
    const measure = this.#job.measure!;
    return aggregate(
      measure,
      values.map(value => countedValue(measure, value)),
    ).mean;
  }

  /** The scores of the model to go on from, and all that was added since. */
  #scoreAnew(): void {
    const { from } = this.#job;
    const { added } = this.#state;
    if (from instanceof LinearModel) this.#seen.scores(from.weights, this.#values.scores);
    else this.#values.scores.fill(0);
    for (let i = 0; i < added.length; i += 2) this.#add(added[i]!, added[i + 1]!);
  }

  #add(feature: number, weight: number): void {
    const { scores } = this.#values;
    const column = this.#column;
    this.#seen.column(feature, column);
    for (let i = 0; i < column.length; i++) scores[i]! += weight * column[i]!;
  }

  /** All queries alike, or by the model to go on from. */
  *#begin(values: Float64Array): Steps<void> {
    const first = this.#job.from === undefined ? values.map(value => 0 * value) : yield* this.#evaluate();
    this.#state = { ...this.#state, distribution: reweigh(first) };
  }

  evaluate(): Steps<Evaluation> {
    return this.#job.evaluation.of(this.model(this.#state.weights));
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]): z.ZodType<AdarankState> => {
      const { features } = this.#seen;
      const { queries } = shareOf(this.#job.data);
      // The last round may have chosen none.
      const rounds = log.filter(({ pairs }) => pairs > 0).length;
      const feature = oneOf(features);
      return z.object({
        weights: floats(features),
        added: floats(2 * rounds).refine(added => added.every((f, i) => i % 2 === 1 || feature.safeParse(f).success)),
        distribution: rounds === 0 ? z.instanceof(Float64Array) : floats(queries),
        last: rounds === 0 ? z.literal(-1) : feature,
        running: count,
        aside: z.array(feature),
        best: rounds === 0 ? z.literal(-Infinity) : z.number(),
        still: count,
      });
    },
    parts: () => floats(this.#seen.features),
  };

  snapshot(): AdarankState {
    return this.#state;
  }

  restore(state: AdarankState): void {
    this.#state = state;
  }

  parts(): Float64Array {
    return this.#state.weights;
  }

  model(weights: Float64Array): Ranker {
    return this.#seen.model(weights);
  }

  close(): Promise<void> {
    return this.#values.close();
  }
}
