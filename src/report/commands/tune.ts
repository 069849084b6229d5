/** The page of a search for options: what was best, by how much, which options mattered, and every trial. */
import type { Comparison } from '../../analysis/compare.js';
import { kebab } from '../../errors.js';
import { optionImportance } from '../../tuning/option-importance.js';
import type { SearchSpace, Values } from '../../tuning/space.js';
import type { Trial, Tuned } from '../../tuning/tune.js';
import type { Axis, BarsChart, LinesChart, ScatterChart } from '../charts.js';
import { column } from '../columns.js';
import type { Block, Document, Section, TableBlock, ValuesBlock } from '../document.js';
import { type Estimate, intervalWords } from '../mean-interval.js';
import { fixed, pValue, signed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted } from '../words.js';

export interface TuningInput {
  readonly space: SearchSpace;
  readonly tuned: Tuned;
  readonly method: string;
  readonly seeds: number;
  readonly folds: number;
  /** That trials are evaluated on, all folds together. */
  readonly queries: number;
  readonly tested?: Tested | undefined;
}

/** The retrained winner on data that had no part in the search, and the defaults trained the same way. */
export interface Tested {
  readonly queries: number;
  readonly measure: string;
  readonly best: Estimate;
  readonly defaults: Estimate | undefined;
  readonly comparison: Comparison | undefined;
}

/** Trials that the terminal shows, and whose learning curves a page does. */
const SHOWN = 10;
const DRAWN_CURVES = 5;

/** What an interval is over. */
export function over(seeds: number): 'seeds' | 'queries' {
  return seeds > 1 ? 'seeds' : 'queries';
}

export function tuningDocument(input: TuningInput): Document {
  const { space, tuned, method, seeds, tested } = input;
  const { defaults, trials, select } = tuned;
  const evaluated = trials.filter(({ value }) => !Number.isNaN(value));
  const verdict = verdictOf(tuned);
  return {
    title: `listwise: tuning of ${space.model}`,
    verdict: tested === undefined ? verdict : verdict.replace(/\.$/, `; ${testPhrase(tested)}.`),
    sections: [
      { title: 'Trials', blocks: terminalBlocks(input) },
      { title: 'The best', blocks: [bestValues(tuned, over(seeds))] },
      ...(tested === undefined ? [] : [testSection(tested)]),
      {
        title: 'The search',
        lead: `${counted(trials.length, 'trial')} by the ${method} method, selected by ${select} on queries that training did not see.`,
        blocks: [searchCourse(trials, select, defaults), ...trialCurves(tuned)],
      },
      {
        title: 'Option by option',
        lead: 'A dot a trial; a ring is around the best.',
        blocks: slices(space, evaluated, tuned),
      },
      {
        title: 'Which options mattered',
        lead: 'The share of the differences between trials that is explained by the value of one option, beyond chance. Options that matter only together are not seen.',
        blocks: [importance(space, evaluated)],
      },
      {
        title: 'Every trial',
        blocks: [
          {
            ...trialTable(
              input,
              [...trials, ...(defaults === undefined ? [] : [defaults])].sort(bestFirst(tuned.best)),
            ),
            on: 'page',
          },
        ],
      },
    ],
  };
}

/** What the terminal shows: the best trials, the defaults, and what is to be said of them. */
function terminalBlocks(input: TuningInput): Block[] {
  const { space, tuned, method, seeds, folds, queries, tested } = input;
  const { best, defaults, trials } = tuned;
  const failed = trials.filter(({ status }) => status === 'failed');
  const shown = trials
    .filter(({ status }) => status === 'done')
    .sort(bestFirst(best))
    .slice(0, SHOWN);
  const words = [
    trials.length > shown.length ? `The best ${shown.length} of ${count(trials.length)} are shown.` : '',
    failed.length > 0 ? `${failed.length} failed; trial ${failed[0]!.id}: ${failed[0]!.error}` : '',
    verdictOf(tuned),
    best.id === 0 || tested !== undefined
      ? ''
      : 'A value that selected is too good: test the winner on data that had no part in the search.',
  ];
  return [
    remark(
      `${space.model}: ${counted(trials.length, 'trial')} (${method}), ${folds === 1 ? 'one split' : `${folds} folds`}${seeds > 1 ? `, ${seeds} seeds` : ''}, evaluated on ${count(queries)} queries`,
    ),
    { ...trialTable(input, [...shown, ...(defaults === undefined ? [] : [defaults])]), on: 'terminal' },
    remark(words.filter(Boolean).join('\n')),
    ...(tested === undefined ? [] : [remark(testWords(tested))]),
  ];
}

function testWords({ queries, measure, best, defaults, comparison }: Tested): string {
  const words = (estimate: Estimate) => `${fixed(estimate.value)} (95 %: ${intervalWords(estimate)})`;
  const own = `On ${counted(queries, 'test query', 'test queries')} the winner has ${measure} ${words(best)}`;
  const pair = comparison?.pairs[0];
  if (defaults === undefined || pair === undefined) return `${own}.`;
  return `${own}, the defaults ${words(defaults)}: ${signed(pair.difference)} (${signed(pair.interval[0])} to ${signed(pair.interval[1])}), ${pair.significant ? 'more than chance explains' : 'which may be chance'} (randomisation test, p ${pValue(pair.p.randomisation)}).`;
}

/** The same in half a sentence. */
function testPhrase({ queries, measure, best, defaults, comparison }: Tested): string {
  const on = `on ${counted(queries, 'test query', 'test queries')} the winner has ${measure} ${fixed(best.value)}`;
  const pair = comparison?.pairs[0];
  if (defaults === undefined || pair === undefined) return on;
  return `${on} against ${fixed(defaults.value)}, ${pair.significant ? 'more than chance explains' : 'which may be chance'}`;
}

function testSection(tested: Tested): Section {
  const { best, defaults, measure } = tested;
  const dot = (label: string, estimate: Estimate) => ({ label, series: measure, ...estimate });
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

export function verdictOf({ best, defaults, select }: Tuned): string {
  const found = `${select} ${best.value.toFixed(4)}`;
  if (best.id === 0) return `No trial is better than the defaults: ${found}.`;
  if (defaults === undefined) return `Trial ${best.id} is the best: ${found}.`;
  return `Trial ${best.id} is the best: ${found} against ${defaults.value.toFixed(4)} of the defaults, on the queries that selected it.`;
}

function bestValues({ best, defaults, select }: Tuned, over: string): ValuesBlock {
  const interval = ({ interval: [low, high] }: Trial) => `${low.toFixed(4)} to ${high.toFixed(4)} over ${over}`;
  return {
    kind: 'values',
    values: [
      { label: select, value: best.value, style: 'value', note: interval(best) },
      ...(defaults === undefined
        ? []
        : [{ label: 'defaults', value: defaults.value, style: 'value' as const, note: interval(defaults) }]),
      ...Object.entries(best.options).map(([key, value]) => ({ label: kebab(key), value: shown(value) })),
    ],
  };
}

type TrialValue = Pick<Trial, 'id' | 'value' | 'share'>;

/** The value of each trial and the best so far, by id; of those trained in full, where there are some to compare. */
export function searchCourse(
  ended: readonly TrialValue[],
  select: string,
  defaults: Pick<Trial, 'value'> | undefined,
): LinesChart {
  const known = ended.filter(({ value }) => !Number.isNaN(value)).sort((a, b) => a.id - b.id);
  const full = known.filter(({ share }) => share === 1);
  const trials = full.length > 1 ? full : known;
  const x = trials.map(({ id }) => id);
  let best = Number.NEGATIVE_INFINITY;
  const soFar = trials.map(({ value }) => {
    best = Math.max(best, value);
    return best;
  });
  return {
    kind: 'lines',
    title: 'Trial by trial',
    x: { label: 'trial', style: 'count' },
    y: { label: select, style: 'value' },
    series: [
      { name: 'best so far', stepped: true, x, y: soFar },
      { name: 'trial', dots: true, x, y: trials.map(({ value }) => value) },
      ...(defaults === undefined ? [] : [{ name: 'defaults', x, y: x.map(() => defaults.value) }]),
    ],
  };
}

/** How the best trials were learned; the defaults beside them. */
function trialCurves({ trials, best, defaults, select }: Tuned): LinesChart[] {
  const shown = [
    ...trials
      .filter(({ status }) => status === 'done')
      .sort(bestFirst(best))
      .slice(0, DRAWN_CURVES),
    ...(defaults === undefined ? [] : [defaults]),
  ].filter(({ curve }) => curve.iterations.length > 1);
  if (shown.length === 0) return [];
  return [
    {
      kind: 'lines',
      title: 'Learning curves of the best trials',
      note: 'Mean over the folds, as far as the shortest training goes.',
      x: { label: 'iteration', style: 'count' },
      y: { label: select, style: 'value' },
      series: shown.map(({ id, curve }) => ({
        name: id === 0 ? 'defaults' : `trial ${id}`,
        x: curve.iterations,
        y: curve.values,
      })),
    },
  ];
}

/** The outcome against each option. */
function slices({ search }: SearchSpace, trials: readonly Trial[], { best, select }: Tuned): ScatterChart[] {
  return Object.entries(search).map(([key, dimension]) => {
    const label = kebab(key); // as the command line has it
    const texts = 'choices' in dimension ? dimension.choices.map(text) : undefined;
    const x: Axis =
      'from' in dimension
        ? { label, domain: [dimension.from, dimension.to], scale: dimension.scale }
        : { label, texts: texts!, domain: [-0.5, texts!.length - 0.5] };
    return {
      kind: 'scatter',
      title: `${select} by ${label}`,
      item: 'trial',
      x,
      y: { label: select, style: 'value' },
      points: trials
        .filter(({ options }) => options[key] !== undefined)
        .map(({ id, options, value, share }) => ({
          name: String(id),
          x: texts === undefined ? Number(options[key]) : texts.indexOf(text(options[key]!)),
          y: value,
          ...(trials.some(trial => trial.share < 1) && { series: share === 1 ? 'trained in full' : 'stopped early' }),
          marked: id === best.id,
        })),
    };
  });
}

function importance(space: SearchSpace, trials: readonly Trial[]): Block {
  const bars = optionImportance(space, trials).filter(({ share }) => !Number.isNaN(share));
  if (bars.length === 0) return { kind: 'text', text: 'The trials are too few to tell.' };
  const chart: BarsChart = {
    kind: 'bars',
    title: 'Importance of options',
    x: { label: 'explained', style: 'percent', domain: [0, 1] },
    item: 'option',
    bars: bars.map(({ option, share }) => ({ name: kebab(option), value: share })),
  };
  return chart;
}

function trialTable({ space: { search }, tuned, seeds }: TuningInput, trials: readonly Trial[]): TableBlock {
  return {
    kind: 'table',
    title: 'Trials, the best first',
    columns: [
      column('trial'),
      column(tuned.select, 'value', { interval: `95 % over ${over(seeds)}` }),
      column('iteration', 'value', { digits: 0 }),
      ...Object.keys(search).map(key => column(kebab(key), 'general', { digits: 12 })),
      column('seconds', 'seconds', { on: ['page'] }),
      column('status', undefined, { on: ['page'], verdict: true }),
    ],
    rows: trials.map(({ id, value, interval, options, iteration, seconds, status, share, error }) => [
      id === 0 ? 'defaults' : String(id),
      { value, interval },
      iteration,
      ...Object.keys(search).map(key => (options[key] === undefined ? '' : shown(options[key]))),
      seconds,
      status === 'stopped' ? `stopped at ${(100 * share).toFixed(0)} %` : (error ?? status),
    ]),
  };
}

/** Of a graded criterion only the first value is shown, and the winner need not have the largest one. */
function bestFirst(best: Trial): (a: Trial, b: Trial) => number {
  const won = ({ id }: Trial) => Number(id === best.id);
  return (a, b) => won(b) - won(a) || b.share - a.share || orderOf(b.value) - orderOf(a.value) || a.id - b.id;
}

function orderOf(value: number): number {
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

function shown(value: Values[string]): string | number {
  return typeof value === 'number' ? value : text(value);
}

/** A value as one writes it. */
function text(value: Values[string]): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
