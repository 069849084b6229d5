import type { Dataset } from '../data/dataset.js';
import { inTurns } from '../steps.js';
import { assertScores, type MeasureResult, measureResults, measuresOf } from './evaluate.js';
import { EvaluationCrew, type PortableMeasures } from './evaluation-crew.js';
import { type AskedMeasure, parseMeasures } from './parse.js';
import { loadMeasures } from './plugin.js';
import type { Ties } from './query-view.js';

/**
 * How `evaluateOnThreads` works.
 *
 * @example
 * import type { EvaluateThreadsOptions } from 'listwise/measures';
 *
 * const options: EvaluateThreadsOptions = { threads: 4, modules: ['./my-measures.mjs'] };
 */
export interface EvaluateThreadsOptions {
  readonly ties?: Ties | undefined;
  /** At most so many, the calling one included. */
  readonly threads: number;
  /** Modules that export measures of the user's; each thread imports them. */
  readonly modules?: readonly string[] | undefined;
  /** Called with the share done. */
  readonly progress?: ((share: number) => void) | undefined;
}

/**
 * As `evaluate`, on up to `threads` threads where it takes long enough for that to pay: the same values to the bit.
 * Measures are named by strings, since each thread makes them for itself.
 *
 * @example
 * import { scoreData } from 'listwise';
 * import { evaluateOnThreads } from 'listwise/measures';
 *
 * const [result] = await evaluateOnThreads(data, scoreData(model, data), 'ndcg@10,ap', { threads: 4 });
 * console.log(result?.mean);
 */
export async function evaluateOnThreads(
  data: Dataset,
  scores: ArrayLike<number>,
  measures: string,
  options: EvaluateThreadsOptions,
): Promise<MeasureResult[]> {
  const more = await loadMeasures(options.modules ?? []);
  return evaluateAsked(data, scores, parseMeasures(measures, { more }), options);
}

/** The same for measures that strings and modules say all about. */
export async function evaluateAsked(
  data: Dataset,
  scores: ArrayLike<number>,
  asked: readonly AskedMeasure[],
  { ties = 'expected', threads, modules = [], progress = () => {} }: EvaluateThreadsOptions,
): Promise<MeasureResult[]> {
  assertScores(data, scores);
  const measures = measuresOf(asked);
  const portable: PortableMeasures = { measures: measures.map(({ spec }) => spec), modules };
  const crew = new EvaluationCrew({ data, measures, portable, ties, threads });
  crew.scores.set(scores);
  try {
    await inTurns(crew.steps(), progress);
    return measureResults(asked, { data, scores, ties }, crew.values, crew.tied);
  } finally {
    await crew.close();
  }
}
