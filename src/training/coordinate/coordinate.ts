/**
 * The trainer by coordinate ascent (Metzler, Croft 2007) with an exact line search (Och 2003): along one feature, or
 * any direction, a rank measure is piecewise constant, and the best step is known, whatever the measure.
 */
import { z } from 'zod';
import { shareOf } from '../../data/share.js';
import { ListwiseError } from '../../errors.js';
import { LineMeasure } from '../../lines/line-measure.js';
import { LinearModel } from '../../models/linear/linear.js';
import type { Ranker } from '../../models/ranker.js';
import { Random } from '../../numeric/random.js';
import type { Transport } from '../../ranks/transport.js';
import type { Steps } from '../../steps.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import { refuseConstant, SeenData } from '../linear/seen-data.js';
import { count, floats } from '../state-schema.js';
import { defineTrainer, measureOf, type TrainJob } from '../trainer.js';
import { countPairs, gappedPairs, globalOptimum, isQuick, type Pair, refuseManyPairs } from './global-search.js';
import { ObjectiveGradient } from './gradient.js';
import { LineSearch } from './line-search.js';
import { type CoordinateOptions, coordinateOptions } from './options.js';

export const coordinate = defineTrainer({
  name: 'coordinate',
  title: 'Coordinate ascent with an exact line search, for any measure.',
  needs: 'measure',
  takesObjective: true,
  makes: 'linear',
  options: coordinateOptions,
  iterations: 'cycles',
  severalRanks: 'parts',
  async start(job, context) {
    const { seed, threads, note, ranks } = context;
    const { options, objective, modules } = job;
    const measure = measureOf(job);
    if (objective !== undefined && !options.gradient) {
      note('the objective is not looked at; with gradient=true its gradient is searched along');
    }
    if (options.gradient && objective === undefined) {
      throw new ListwiseError('option-invalid', 'gradient=true needs an `objective`, whose gradient it is');
    }
    const seen = SeenData.of(job, context);
    const varying = seen.varying(ranks);
    refuseConstant(varying);
    seen.refuseAlike('coordinate', measure.labels, ranks);
    const features = [...varying.keys()].filter(f => varying[f]);
    if (options.global === 'always' && (features.length < 2 || features.length > 3)) {
      throw new ListwiseError(
        'option-invalid',
        `global=always takes two or three features that vary, found ${features.length}`,
      );
    }
    const labels = seen.labels.label(measure.labels);
    const pairsOfAll = () => countPairs(seen, labels, ranks);
    if (options.global === 'always') refuseManyPairs(features, pairsOfAll);
    const looksAtAll = options.global === 'always' || (options.global === 'auto' && isQuick(features, pairsOfAll));
    const pairs = looksAtAll ? gappedPairs(seen, features, labels, ranks) : undefined;
    const portable = job.portable && { measures: [measure.spec], modules };
    const line = await LineMeasure.start({ data: seen.labels, measure, portable, threads, ranks });
    return new CoordinateLearner(job, { search: new LineSearch(seen, line), line, features, pairs, seed, ranks });
  },
});

interface CoordinateParts {
  readonly search: LineSearch;
  readonly line: LineMeasure;
  /** Features that vary within queries. */
  readonly features: readonly number[];
  /** Those of documents that can tie, where every ranking is looked at. */
  readonly pairs: readonly Pair[] | undefined;
  readonly seed: number;
  readonly ranks: Transport;
}

interface CoordinateState {
  readonly weights: Float64Array;
  readonly restarts: number;
  /** The measure before each of the last lines since the start: as many as a cycle has, at most. */
  readonly levels: readonly number[];
  /** Nothing more is to be had from this start. */
  readonly ended: boolean;
}

const BEGUN = { levels: [], ended: false };

class CoordinateLearner implements Learner<CoordinateState, Float64Array> {
  readonly keeps = 'best';
  readonly #job: TrainJob<CoordinateOptions>;
  readonly #given: CoordinateParts;
  readonly #gradient: ObjectiveGradient | undefined;
  #state: CoordinateState;

  constructor(job: TrainJob<CoordinateOptions>, given: CoordinateParts) {
    const { options, objective, from } = job;
    this.#job = job;
    this.#given = given;
    this.#gradient =
      options.gradient && objective
        ? new ObjectiveGradient(given.search.seen, objective, given.ranks, job.learned?.memories)
        : undefined;
    const weights = from instanceof LinearModel ? from.weights.slice() : this.#firstWeights(0);
    this.#state = { ...BEGUN, weights, restarts: 0 };
  }

  /** All features alike at first, random ones after a restart; the sum of their sizes is 1. */
  #firstWeights(restart: number): Float64Array {
    const { features, seed, search } = this.#given;
    const random = new Random(seed, `coordinate ${restart}`);
    const weights = new Float64Array(search.seen.features);
    for (const f of features) weights[f] = restart === 0 ? 1 : random.gaussian();
    return normalised(weights);
  }

  *step(iteration: number): Steps<StepRecord> {
    const { options } = this.#job;
    const { features, pairs, search, ranks } = this.#given;
    if (pairs !== undefined) {
      const { weights, value } = yield* globalOptimum(search, features, pairs, ranks);
      this.#state = { ...this.#state, weights: normalised(weights) };
      return { ...this.#said(value), last: true };
    }
    let { weights } = this.#state;
    search.from(weights);
    const before = yield* search.here();
    let value = before;
    const directions = yield* this.#directions(weights, iteration);
    const levels = [...this.#state.levels];
    let ended = false;
    for (const direction of directions) {
      levels.push(search.finish(value));
      const found = yield* search.best(direction, value);
      if (found.step !== 0) {
        value = found.value;
        weights = moved(weights, direction, found.step);
        search.advance(found.step);
      }
      // A gradient of zeros is no direction: there may be fewer than before.
      while (levels.length > directions.length) levels.shift();
      const gained = search.finish(value) - levels[0]!;
      ended = levels.length === directions.length && !(gained > options.tolerance);
      if (ended) break;
    }
    this.#state = { ...this.#state, weights: normalised(weights), levels, ended };
    const gain = search.finish(value) - search.finish(before);
    return { ...this.#said(value, gain), last: ended && this.#state.restarts >= options.restarts };
  }

  #said(mean: number, gain = 0): StepRecord {
    const { select, measure } = this.#job;
    const value = this.#given.search.finish(mean);
    const isSelected = select.measures.length === 1 && select.measures[0]!.spec === measure!.spec;
    return {
      pairs: Number.isNaN(mean) ? 0 : shareOf(this.#job.data).queries,
      rate: 0,
      ...(isSelected && { training: [value] }),
      facts: { training: value, gain, restarts: this.#state.restarts },
    };
  }

  /**
   * Features, as numbers, then other directions. The order of features is random, but the same in all cycles of a
   * start: whichever line is the last, as many lines as a cycle has are one along each feature.
   */
  *#directions(weights: Float64Array, iteration: number): Steps<(number | Float64Array)[]> {
    const { features, seed, search } = this.#given;
    const order = new Random(seed, `order ${this.#state.restarts}`).shuffle([...features]);
    const random = new Random(seed, `cycle ${iteration}`);
    const others = Array.from({ length: this.#job.options.random }, () => {
      const direction = new Float64Array(weights.length);
      for (const f of features) direction[f] = random.gaussian();
      return normalised(direction);
    });
    const gradients: Float64Array[] = [];
    if (this.#gradient !== undefined) {
      search.from(weights);
      const gradient = normalised(yield* this.#gradient.at(search.scores, iteration));
      if (gradient.some(value => value !== 0)) gradients.push(gradient);
    }
    return [...gradients, ...order, ...others];
  }

  evaluate(): Steps<Evaluation> {
    return this.#job.evaluation.of(this.model(this.#state.weights));
  }

  adapt(): 'restart' | undefined {
    if (!this.#state.ended || this.#state.restarts >= this.#job.options.restarts) return undefined;
    const next = this.#state.restarts + 1;
    this.#state = { ...BEGUN, weights: this.#firstWeights(next), restarts: next };
    return 'restart';
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]): z.ZodType<CoordinateState> => {
      const { features, pairs, search } = this.#given;
      const { random, restarts } = this.#job.options;
      const isNew = log.length === 0 || pairs !== undefined || log.at(-1)!.event !== undefined;
      const most = isNew ? 0 : features.length + random + Number(this.#gradient !== undefined);
      return z.object({
        weights: floats(search.seen.features),
        restarts: count.max(restarts),
        levels: z
          .array(z.number())
          .min(Math.max(0, most - Number(this.#gradient !== undefined)))
          .max(most),
        ended: z.boolean(),
      });
    },
    parts: () => floats(this.#given.search.seen.features),
  };

  snapshot(): CoordinateState {
    return this.#state;
  }

  restore(state: CoordinateState): void {
    this.#state = state;
  }

  parts(): Float64Array {
    return this.#state.weights;
  }

  model(weights: Float64Array): Ranker {
    return this.#given.search.seen.model(weights);
  }

  close(): Promise<void> {
    return this.#given.line.close();
  }
}

function moved(weights: Float64Array, direction: number | Float64Array, step: number): Float64Array {
  if (typeof direction !== 'number') return weights.map((weight, f) => weight + step * direction[f]!);
  const next = weights.slice();
  next[direction]! += step;
  return next;
}

/** Scaled so that the sizes of the weights add up to 1. */
function normalised(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0);
  return sum > 0 ? weights.map(weight => weight / sum) : weights;
}
