/** What `tune` says at the end, for other programs. */
import { compareSystems } from '../analysis/compare.js';
import type { Dataset } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { over, type Tested, type TuningInput } from '../report/commands/tune.js';
import { type Estimate, estimateOf } from '../report/mean-interval.js';
import { optionImportance } from '../tuning/option-importance.js';
import type { Trial } from '../tuning/tune.js';
import { inFlags } from './flags.js';
import { pairJson } from './pairs.js';

export interface TuningSummary extends TuningInput {
  /** The file of the retrained winner. */
  readonly model: string;
}

const ALPHA = 0.05;

export function testOf(
  data: Dataset,
  measures: readonly Measure[],
  best: Float64Array,
  defaults: Float64Array | undefined,
  seed: number,
): Tested {
  const estimate = (scores: Float64Array) => estimateOf(evaluate(data, scores, measures.slice(0, 1))[0]!, ALPHA);
  return {
    queries: data.queries,
    measure: measures[0]!.spec,
    best: estimate(best),
    defaults: defaults && estimate(defaults),
    comparison:
      defaults &&
      compareSystems(
        [
          { name: 'best', data, scores: best },
          { name: 'defaults', data, scores: defaults },
        ],
        measures.map(measure => ({ asked: measure.spec, measure })),
        { seed },
      ),
  };
}

export function trialJson({
  id,
  options,
  value,
  status,
  interval,
  values,
  seeds,
  share,
  iteration,
  seconds,
  error,
}: Trial) {
  return {
    id,
    options,
    value,
    status,
    ci: interval,
    values,
    seeds,
    share,
    iteration,
    seconds,
    ...(error === undefined ? {} : { error: inFlags(error) }),
  };
}

export function summaryJson({ space, tuned, method, seeds, folds, queries, tested, model }: TuningSummary) {
  const { best, defaults, trials, select, configuration } = tuned;
  return {
    best: {
      id: best.id,
      options: best.options,
      value: best.value,
      ci: best.interval,
      iteration: best.iteration,
      configuration: { model: configuration.model, objective: configuration.objective, options: configuration.options },
    },
    trials: trials.map(trialJson),
    model,
    ...(defaults && { defaults: trialJson(defaults) }),
    select,
    method,
    folds,
    seeds,
    queries,
    ciOver: over(seeds),
    importance: optionImportance(space, trials),
    ...(tested && {
      test: {
        queries: tested.queries,
        measure: tested.measure,
        best: estimateJson(tested.best),
        ...(tested.defaults && { defaults: estimateJson(tested.defaults) }),
        ...(tested.comparison && { pairs: tested.comparison.pairs.map(pairJson) }),
      },
    }),
  };
}

function estimateJson({ value, low, high }: Estimate) {
  return { value, ci: [low, high] };
}
