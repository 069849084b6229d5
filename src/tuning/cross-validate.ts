/** Cross-validation: trains on each fold and evaluates on the queries that the fold left out. */
import { availableParallelism } from 'node:os';
import { concatenate } from '../data/concatenate.js';
import type { Dataset } from '../data/dataset.js';
import { sharedQueries } from '../data/doubts.js';
import type { Fold } from '../data/folds.js';
import { IdNumbers } from '../data/id-numbers.js';
import { ListwiseError, quote } from '../errors.js';
import { parseCriterion } from '../measures/criterion.js';
import { evaluate } from '../measures/evaluate.js';
import { askedMeasures, type MeasureLike } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import { isPortable } from '../objectives/portable.js';
import { alone, type Transport } from '../ranks/transport.js';
import { DEFAULT_SELECT } from '../training/train.js';
import type { Configuration, FoldContext, FoldOutcome } from './fold-job.js';
import { FoldRunner } from './fold-runner.js';
import { type Estimate, foldValue, overFolds } from './fold-values.js';

/**
 * What is cross-validated, and how.
 *
 * @example
 * import { kFold } from 'listwise';
 * import type { CrossValidateSettings } from 'listwise/tuning';
 *
 * const settings: CrossValidateSettings = { model: 'trees', folds: kFold(data, 5, 1), measures: 'ndcg@10,ap' };
 */
export interface CrossValidateSettings extends Configuration {
  readonly folds: readonly Fold[];
  /** All queries that are tested on, once each; by default the test parts in the order of the folds. */
  readonly data?: Dataset | undefined;
  /** What to evaluate; by default what the best iteration is selected by. */
  readonly measures?: string | readonly MeasureLike[] | undefined;
  readonly ties?: Ties | undefined;
  /** Level of the confidence intervals. */
  readonly alpha?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `share` of the work is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Called with every fold as its training ends; the order may differ from run to run. */
  readonly onFold?: ((outcome: Omit<FoldOutcome, 'scores'> & { readonly fold: number }) => void) | undefined;
  readonly note?: FoldContext['note'] | undefined;
}

/**
 * Values of each fold and over all.
 *
 * @example
 * import { kFold } from 'listwise';
 * import { crossValidate, type CrossValidation } from 'listwise/tuning';
 *
 * const { folds }: CrossValidation = await crossValidate({ model: 'linear', folds: kFold(data, 5, 1) });
 * console.log(folds.map(({ fold, measures }) => [fold, measures['ndcg@10']]));
 */
export interface CrossValidation {
  readonly folds: readonly (Omit<FoldOutcome, 'scores'> & {
    readonly fold: number;
    /** Queries evaluated on. */
    readonly queries: number;
    /** By the measure's name as asked for. */
    readonly measures: Readonly<Record<string, number>>;
    /** Over the queries of the fold. */
    readonly interval: Readonly<Record<string, readonly [number, number]>>;
    /** Ids of the queries, and their values of the first measure. */
    readonly byQuery: { readonly queries: readonly string[]; readonly values: Float64Array };
  })[];
  /** Mean over the folds, by the measure's name as asked for. */
  readonly mean: Readonly<Record<string, number>>;
  readonly interval: Readonly<Record<string, readonly [number, number]>>;
  /** What the best iterations were selected by. */
  readonly select: string;
  /** What the scores are of. */
  readonly data: Dataset;
  /** Out-of-fold scores: each document is scored by the model that did not see its query. */
  readonly scores: Float64Array;
}

/**
 * Trains on each fold and evaluates on its test part.
 *
 * @example
 * import { kFold } from 'listwise';
 * import { crossValidate } from 'listwise/tuning';
 *
 * const { mean, interval } = await crossValidate({ model: 'linear', folds: kFold(data, 5, 1), data });
 * console.log(mean['ndcg@10'], interval['ndcg@10']);
 */
export function crossValidate(settings: CrossValidateSettings): Promise<CrossValidation> {
  return crossValidateOn(alone, settings);
}

/** On ranks that share the trainings out; every one of them makes this call, with the same settings. */
export async function crossValidateOn(ranks: Transport, settings: CrossValidateSettings): Promise<CrossValidation> {
  const { folds, ties, alpha = 0.05, threads = availableParallelism(), onProgress = () => {} } = settings;
  const { model, objective, select, holdout, options, seed, library, modules } = settings;
  const configuration: Configuration = { model, objective, select, holdout, options, seed, library, modules };
  const data = settings.data ?? concatenate(folds.map(({ test }) => test));
  const context = library?.measures === undefined ? {} : { more: library.measures };
  const criterion = typeof select === 'object' ? select : parseCriterion(select ?? DEFAULT_SELECT, context);
  const measures = askedMeasures(settings.measures ?? criterion.measures, context);
  const runner = new FoldRunner(folds, {
    jobs: folds.length,
    threads,
    ranks,
    portable: isPortable(configuration),
    signal: settings.signal ?? new AbortController().signal,
    note: settings.note ?? (() => {}),
  });
  const shared = folds.flatMap(({ train, test }) => sharedQueries('test', test, { name: 'training', data: train }));
  if (shared[0] !== undefined) settings.note?.(shared[0].text, shared[0].code);
  const shares = folds.map(() => 0);
  let outcomes: FoldOutcome[];
  try {
    outcomes = await Promise.all(
      folds.map(async ({ fold }, f) => {
        const outcome = await runner.run(f, configuration, share => {
          shares[f] = share;
          onProgress(shares.reduce((sum, part) => sum + part, 0) / folds.length);
        });
        const { scores: _, ...rest } = outcome;
        settings.onFold?.({ fold, ...rest });
        return outcome;
      }),
    );
  } finally {
    await runner.close();
  }
  const evaluated = folds.map(({ test }, f) =>
    evaluate(
      test,
      outcomes[f]!.scores,
      measures.map(({ measure }) => measure),
      ties === undefined ? {} : { ties },
    ),
  );
  const estimatesOf = (some: typeof evaluated) =>
    measures.map(({ asked, measure }, m): [string, Estimate] => [
      asked,
      overFolds(
        measure,
        some.map(results => foldValue(measure, results[m]!.values)),
        alpha,
      ),
    ]);
  const intervals = (estimates: readonly [string, Estimate][]) =>
    Object.fromEntries(estimates.map(([asked, { interval }]) => [asked, interval]));
  const estimates = estimatesOf(evaluated);
  return {
    folds: folds.map(({ fold, test }, f) => {
      const { scores: _, ...outcome } = outcomes[f]!;
      const means = measures.map(({ asked }, m) => [asked, evaluated[f]![m]!.mean]);
      const interval = intervals(estimatesOf([evaluated[f]!]));
      const byQuery = { queries: test.queryIds, values: evaluated[f]![0]!.values };
      return { fold, queries: test.queries, measures: Object.fromEntries(means), interval, byQuery, ...outcome };
    }),
    mean: Object.fromEntries(estimates.map(([asked, { mean }]) => [asked, mean])),
    interval: intervals(estimates),
    select: criterion.spec,
    data,
    scores: outOfFold(
      data,
      folds,
      outcomes.map(({ scores }) => scores),
    ),
  };
}

/** The scores of all test parts, at the rows that their queries have in `data`. */
function outOfFold(data: Dataset, folds: readonly Fold[], scores: readonly Float64Array[]): Float64Array {
  const places = IdNumbers.of(data.queryIds);
  const all = new Float64Array(data.rows).fill(Number.NaN);
  const seen = new IdNumbers();
  for (const [f, { test }] of folds.entries()) {
    for (const [q, id] of test.queryIds.entries()) {
      const place = places.get(id);
      if (place === undefined || seen.has(id)) {
        const what = place === undefined ? 'is not in the data' : 'is tested on in two folds';
        throw new ListwiseError('query-mismatch', `query ${quote(id)} of fold ${f + 1} ${what}`);
      }
      seen.add(id);
      all.set(scores[f]!.subarray(test.offsets[q]!, test.offsets[q + 1]!), data.offsets[place]!);
    }
  }
  const left = data.queryIds.find(id => !seen.has(id));
  if (left !== undefined) throw new ListwiseError('query-mismatch', `query ${quote(left)} is tested on in no fold`);
  return all;
}
