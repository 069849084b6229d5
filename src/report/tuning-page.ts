/** The page of a search for options: what was best, by how much, which options mattered, and every trial. */
import { optionImportance } from '../tuning/option-importance.js';
import type { SearchSpace, Values } from '../tuning/space.js';
import type { Trial, Tuned } from '../tuning/tune.js';
import type { BarsChart, LinesChart, ParallelAxis, ParallelChart } from './charts.js';
import type { Block, FiguresBlock, Origin, Report, Section, TableBlock } from './page.js';
import { counted } from './words.js';

export interface TuningReport {
  readonly space: SearchSpace;
  readonly tuned: Tuned;
  readonly method: string;
  /** What an interval is over: seeds or queries. */
  readonly over: 'seeds' | 'queries';
  /**
   * What the retrained winner does on queries that had no part in the search, in words and figures; absent without such
   * data.
   */
  readonly test?: Section | undefined;
  /** The same in half a sentence, for the verdict. */
  readonly testVerdict?: string | undefined;
  readonly origin: Origin;
}

export function tuningPage({ space, tuned, method, over, test, testVerdict, origin }: TuningReport): Report {
  const { defaults, trials, select } = tuned;
  const judged = trials.filter(({ value }) => !Number.isNaN(value));
  const full = judged.filter(({ share }) => share === 1);
  return {
    title: `listwise: tuning of ${space.model}`,
    verdict: testVerdict === undefined ? verdictOf(tuned) : verdictOf(tuned).replace(/\.$/, `; ${testVerdict}.`),
    sections: [
      { title: 'The best', blocks: [bestFigures(tuned, over)] },
      ...(test === undefined ? [] : [test]),
      {
        title: 'The search',
        lead: `${counted(trials.length, 'trial')} by the ${method} method, selected by ${select} on queries that training did not see.`,
        blocks: [course(full.length > 1 ? full : judged, select, defaults), parallel(space, judged, select)],
      },
      {
        title: 'Which options mattered',
        lead: 'The share of the differences between trials that is explained by the value of one option, beyond chance. Options that matter only together are not seen.',
        blocks: [importance(space, judged)],
      },
      { title: 'Every trial', blocks: [trialTable(space, tuned)] },
    ],
    origin,
  };
}

export function verdictOf({ best, defaults, select }: Tuned): string {
  const found = `${select} ${best.value.toFixed(4)}`;
  if (best.id === 0) return `No trial is better than the defaults: ${found}.`;
  if (defaults === undefined) return `Trial ${best.id} is the best: ${found}.`;
  return `Trial ${best.id} is the best: ${found} against ${defaults.value.toFixed(4)} of the defaults, on the queries that selected it.`;
}

function bestFigures({ best, defaults, select }: Tuned, over: string): FiguresBlock {
  const interval = ({ interval: [low, high] }: Trial) => `${low.toFixed(4)} to ${high.toFixed(4)} over ${over}`;
  return {
    kind: 'figures',
    figures: [
      { label: select, value: best.value, style: 'value', note: interval(best) },
      ...(defaults === undefined
        ? []
        : [{ label: 'defaults', value: defaults.value, style: 'value' as const, note: interval(defaults) }]),
      ...Object.entries(best.options).map(([label, value]) => ({ label, value: shown(value) })),
    ],
  };
}

/** The value of each trial and the best so far. */
function course(trials: readonly Trial[], select: string, defaults: Trial | undefined): LinesChart {
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
      { name: 'best so far', x, y: soFar },
      { name: 'trial', dots: true, x, y: trials.map(({ value }) => value) },
      ...(defaults === undefined ? [] : [{ name: 'defaults', x, y: x.map(() => defaults.value) }]),
    ],
  };
}

function parallel({ search }: SearchSpace, trials: readonly Trial[], select: string): ParallelChart {
  const axes = Object.entries(search).map(([label, dimension]): ParallelAxis => {
    if ('choices' in dimension) return { label, texts: dimension.choices.map(text) };
    return { label, domain: [dimension.from, dimension.to], scale: dimension.scale };
  });
  return {
    kind: 'parallel',
    title: 'Options and outcome',
    note: 'One line a trial, coloured by its outcome on the last axis.',
    item: 'trial',
    axes: [...axes, { label: select, style: 'value' }],
    lines: trials.map(({ id, options, value }) => ({
      name: String(id),
      values: [
        ...Object.entries(search).map(([key, dimension]) =>
          'choices' in dimension ? text(options[key]!) : Number(options[key]),
        ),
        value,
      ],
    })),
  };
}

function importance(space: SearchSpace, trials: readonly Trial[]): Block {
  const bars = optionImportance(space, trials).filter(({ share }) => !Number.isNaN(share));
  if (bars.length === 0) return { kind: 'text', text: 'The trials are too few to tell.' };
  const chart: BarsChart = {
    kind: 'bars',
    title: 'Importance of options',
    x: { label: 'explained', style: 'percent', domain: [0, 1] },
    item: 'option',
    bars: bars.map(({ option, share }) => ({ name: option, value: share })),
  };
  return chart;
}

function trialTable({ search }: SearchSpace, { best, trials, defaults, select }: Tuned): TableBlock {
  const keys = Object.keys(search);
  const all = [...trials, ...(defaults === undefined ? [] : [defaults])];
  return {
    kind: 'table',
    title: 'Trials, the best first',
    columns: [
      { title: 'trial' },
      { title: select, style: 'value' },
      ...Object.entries(search).map(([title, dimension]) =>
        'choices' in dimension && !dimension.choices.every(choice => typeof choice === 'number')
          ? { title }
          : { title, style: 'general' as const },
      ),
      { title: 'iteration', style: 'general' },
      { title: 'seconds', style: 'seconds' },
      { title: 'status' },
    ],
    rows: [...all]
      .sort(bestFirst(best))
      .map(({ id, value, interval, options, iteration, seconds, status, share, error }) => [
        id === 0 ? 'defaults' : String(id),
        Number.isNaN(value) ? value : { value, note: interval.map(end => end.toFixed(4)).join(' to ') },
        ...keys.map(key => (options[key] === undefined ? '' : shown(options[key]))),
        Math.round(10 * iteration) / 10,
        seconds,
        status === 'stopped' ? `stopped at ${(100 * share).toFixed(0)} %` : (error ?? status),
      ]),
  };
}

/** Of a graded criterion only the first figure is shown, and the winner need not have the largest one. */
export function bestFirst(best: Trial): (a: Trial, b: Trial) => number {
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
export function text(value: Values[string]): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
