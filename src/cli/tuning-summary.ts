/** What `tune` says at the end: as JSON and as text. */

import { type Comparison, compareSystems } from '../analysis/compare.js';
import type { Dataset } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { type Estimate, estimateOf, intervalWords } from '../report/mean-interval.js';
import type { Section } from '../report/page.js';
import { bestFirst, text, verdictOf } from '../report/tuning-page.js';
import { counted } from '../report/words.js';
import { optionImportance } from '../tuning/option-importance.js';
import type { SearchSpace } from '../tuning/space.js';
import type { Trial, Tuned } from '../tuning/tune.js';
import { inFlags } from './flags.js';
import { pairJson } from './pairs.js';
import { count, fixed, pValue, right, signed, table } from './terminal/table.js';

export interface TuningSummary {
  readonly space: SearchSpace;
  readonly tuned: Tuned;
  readonly method: string;
  readonly seeds: number;
  readonly folds: number;
  /** That trials are judged on, all folds together. */
  readonly queries: number;
  readonly tested: Tested | undefined;
  /** The file of the retrained winner. */
  readonly model: string;
}

/** The retrained winner on data that had no part in the search, and the defaults trained the same way. */
export interface Tested {
  readonly queries: number;
  readonly measure: string;
  readonly best: Estimate;
  readonly defaults: Estimate | undefined;
  readonly comparison: Comparison | undefined;
}

const ALPHA = 0.05;
/** Trials that the text shows. */
const SHOWN = 10;

/** What an interval is over. */
export function over(seeds: number): 'seeds' | 'queries' {
  return seeds > 1 ? 'seeds' : 'queries';
}

export function testOf(
  data: Dataset,
  measures: readonly Measure[],
  best: Float64Array,
  defaults: Float64Array | undefined,
  seed: number,
): Tested {
  const figure = (scores: Float64Array) => estimateOf(evaluate(data, scores, measures.slice(0, 1))[0]!, ALPHA);
  return {
    queries: data.queries,
    measure: measures[0]!.spec,
    best: figure(best),
    defaults: defaults && figure(defaults),
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
        best: figureJson(tested.best),
        ...(tested.defaults && { defaults: figureJson(tested.defaults) }),
        ...(tested.comparison && { pairs: tested.comparison.pairs.map(pairJson) }),
      },
    }),
  };
}

function figureJson({ value, low, high }: Estimate) {
  return { value, ci: [low, high] };
}

export function summaryText(summary: TuningSummary, directory: string | undefined): string {
  const { space, tuned, method, seeds, folds, queries, tested, model } = summary;
  const { best, defaults, trials, select } = tuned;
  const failed = trials.filter(({ status }) => status === 'failed');
  const rows = [...trials]
    .filter(({ status }) => status === 'done')
    .sort(bestFirst(best))
    .slice(0, SHOWN);
  const keys = Object.keys(space.search);
  const parts = [
    `${space.model}: ${counted(trials.length, 'trial')} (${method}), ${folds === 1 ? 'one split' : `${folds} folds`}${seeds > 1 ? `, ${seeds} seeds` : ''}, judged on ${count(queries)} queries`,
    table(
      [{ title: 'trial' }, right(select), right(`95 % over ${over(seeds)}`), right('iteration'), ...keys.map(right)],
      [...rows, ...(defaults === undefined ? [] : [defaults])].map(({ id, value, interval, iteration, options }) => [
        id === 0 ? 'defaults' : String(id),
        fixed(value),
        interval.map(end => fixed(end)).join(' to '),
        fixed(iteration, 0),
        ...keys.map(key => (options[key] === undefined ? '' : text(options[key]))),
      ]),
    ),
    [
      trials.length > rows.length ? `The best ${rows.length} of ${count(trials.length)} are shown.` : '',
      failed.length > 0 ? `${failed.length} failed; trial ${failed[0]!.id}: ${inFlags(failed[0]!.error!)}` : '',
      verdictOf(tuned),
      best.id === 0 ? '' : 'A figure that selected is too good; --test judges the winner on other data.',
    ]
      .slice(0, tested === undefined ? 4 : 3)
      .filter(Boolean)
      .join('\n'),
  ];
  if (tested !== undefined) parts.push(testWords(tested));
  parts.push(`model written to ${model}${directory === undefined ? '' : `; all trials and a page in ${directory}`}`);
  return parts.join('\n\n');
}

function testWords({ queries, measure, best, defaults, comparison }: Tested): string {
  const words = (figure: Estimate) => `${fixed(figure.value)} (95 %: ${intervalWords(figure)})`;
  const own = `On ${counted(queries, 'test query', 'test queries')} the winner has ${measure} ${words(best)}`;
  const pair = comparison?.pairs[0];
  if (defaults === undefined || pair === undefined) return `${own}.`;
  return `${own}, the defaults ${words(defaults)}: ${signed(pair.difference)} (${signed(pair.interval[0])} to ${signed(pair.interval[1])}), ${pair.significant ? 'more than chance explains' : 'which may be chance'} (randomisation test, p ${pValue(pair.p.randomisation)}).`;
}

/** The same in half a sentence. */
export function testPhrase({ queries, measure, best, defaults, comparison }: Tested): string {
  const on = `on ${counted(queries, 'test query', 'test queries')} the winner has ${measure} ${fixed(best.value)}`;
  const pair = comparison?.pairs[0];
  if (defaults === undefined || pair === undefined) return on;
  return `${on} against ${fixed(defaults.value)}, ${pair.significant ? 'more than chance explains' : 'which may be chance'}`;
}

/** The same for the page. */
export function testSection(tested: Tested): Section {
  const { best, defaults, measure } = tested;
  const dot = (label: string, figure: Estimate) => ({ label, series: measure, ...figure });
  return {
    title: 'On data that had no part in the search',
    lead: testWords(tested),
    blocks: [
      {
        kind: 'intervals',
        title: `${measure} on ${counted(tested.queries, 'test query', 'test queries')}`,
        x: { label: measure, style: 'value' },
        dots: [dot('winner', best), ...(defaults === undefined ? [] : [dot('defaults', defaults)])],
      },
    ],
  };
}

export function nameOf({ id }: Trial): string {
  return id === 0 ? 'defaults' : `trial ${id}`;
}
