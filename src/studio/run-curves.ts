/** The log of a run as pictures: learning curves, trials, steps. */
import { isObject } from '../io/is-object.js';
import type { LineSeries, LinesChart } from '../report/charts.js';
import { column } from '../report/columns.js';
import { searchCourse } from '../report/commands/tune.js';
import type { Block, Section, TableBlock } from '../report/document.js';
import type { LoggedIteration } from '../runs/run-folder.js';

/** Of a longer curve every second, third, … value is drawn. */
const MOST_POINTS = 1000;

/** What a line of a log is of: it has the number, or the name, of that. */
const UNITS = ['fold', 'trial', 'step'] as const;
export type Unit = (typeof UNITS)[number] | 'iteration';

type LogLine = LoggedIteration & {
  readonly [unit in (typeof UNITS)[number]]?: unknown;
} & {
  /** Of a line that is of several iterations. */
  readonly curve?: { readonly iterations: readonly number[]; readonly values: readonly number[] };
  /** Where two are compared: which one. */
  readonly configuration?: unknown;
  /** Of the iterations, where a trial may have been stopped early. */
  readonly share?: unknown;
};

export function unitOf([first]: readonly LoggedIteration[]): Unit {
  return UNITS.find(unit => first !== undefined && Object.hasOwn(first, unit)) ?? 'iteration';
}

export function logSection(log: readonly LoggedIteration[], measure: string): Section {
  const unit = unitOf(log);
  return unit === 'step'
    ? { title: 'Steps', blocks: stepsOf(log) }
    : { title: 'Learning curves', blocks: [...curvesOf(log, measure), ...endedOf(log, measure)] };
}

/** Folds and trials in a table: what a terminal has instead of their curves. */
function endedOf(log: readonly LogLine[], measure: string): TableBlock[] {
  const unit = unitOf(log);
  if (unit !== 'fold' && unit !== 'trial') return [];
  const ended = log.filter(line => hasValue(line, 'validation')).sort((a, b) => Number(a[unit]) - Number(b[unit]));
  if (ended.length === 0) return [];
  const named = ended.some(({ configuration }) => configuration !== undefined);
  const shares = ended.some(({ share = 1 }) => share !== 1);
  return [
    {
      kind: 'table',
      title: `${unit === 'fold' ? 'Folds' : 'Trials'} that have ended`,
      columns: [
        column(unit, 'count'),
        ...(named ? [column('configuration')] : []),
        // What a fold came to is on the queries that were left out; this is on those that select.
        column(unit === 'fold' ? `${measure} selecting` : measure, 'value', { verdict: true }),
        ...(unit === 'fold' ? [column('best iteration', 'count'), column('seconds', 'seconds')] : []),
        ...(shares ? [column('share of iterations', 'percent')] : []),
      ],
      rows: ended.map(line => [
        // Trial 0 is the defaults.
        unit === 'trial' && line.trial === 0 ? 'defaults' : Number(line[unit]),
        ...(named ? [String(line.configuration ?? '')] : []),
        line.validation![0]!,
        ...(unit === 'fold' ? [bestIteration(line), line.seconds ?? Number.NaN] : []),
        ...(shares ? [Number(line.share ?? 1)] : []),
      ]),
    },
  ];
}

/** Training and selecting data by iteration; a curve a fold; of trials the best so far as well. */
export function curvesOf(log: readonly LogLine[], measure: string): Block[] {
  const unit = unitOf(log);
  if (unit === 'trial') {
    const { searched, defaults } = trialsOf(log);
    if (searched.length > 0) return [searchCourse(searched, measure, defaults)];
    if (defaults !== undefined) return [linesOf(measure, [{ name: 'defaults', x: [0], y: [defaults.value] }], unit)];
  }
  const ofEach = byNumber(log, unit).flatMap((line): LineSeries[] =>
    line.curve === undefined
      ? []
      : [{ name: nameOf(line, `${unit} ${line[unit]}`), x: line.curve.iterations, y: line.curve.values }],
  );
  if (ofEach.length > 0) return [linesOf(measure, ofEach, 'iteration')];
  const curves = unit === 'iteration' ? iterationsOf(log) : [];
  if (curves.length === 0) return [{ kind: 'text', text: `No ${unit} has ended yet.` }];
  return [{ ...linesOf(measure, curves, unit), on: 'both' }];
}

/** Of a fold; a line of one iteration says only whether it is the best. */
function bestIteration({ best }: { readonly best?: unknown }): number {
  return isObject(best) && typeof best.iteration === 'number' ? best.iteration : Number.NaN;
}

/** What stands for a run beside others of its kind: values on the data that selects, by iteration, fold or trial. */
export function curvesBeside(name: string, log: readonly LogLine[], measure: string): LineSeries[] {
  const unit = unitOf(log);
  if (unit === 'iteration') return [curveOf(name, log, 'validation')];
  if (unit === 'trial') {
    const [best] = searchCourse(trialsOf(log).searched, measure, undefined).series;
    return [{ ...best!, name: `${name}, best so far` }];
  }
  const known = byNumber(log, unit).filter(line => unit === 'fold' && hasValue(line, 'validation'));
  const names = [...new Set(known.map(line => nameOf(line, name)))];
  return names.map(one => {
    const own = known.filter(line => nameOf(line, name) === one);
    return { name: one, dots: true, x: own.map(line => Number(line.fold)), y: own.map(line => line.validation![0]!) };
  });
}

/** Folds end in any order, and each has its number. */
function byNumber(log: readonly LogLine[], unit: Unit): readonly LogLine[] {
  return unit === 'fold' ? log.toSorted((a, b) => Number(a.fold) - Number(b.fold)) : log;
}

function nameOf({ configuration }: LogLine, name: string): string {
  return configuration === undefined ? name : `${name}, ${configuration}`;
}

function iterationsOf(log: readonly LogLine[]): LineSeries[] {
  const curves = [curveOf('training', log, 'training'), curveOf('selecting data', log, 'validation')];
  return curves.filter(({ x }) => x.length > 0);
}

/** Trial 0 is the defaults, which the others are held against. */
function trialsOf(log: readonly LogLine[]) {
  const trials = log
    .filter(line => hasValue(line, 'validation'))
    .map(({ trial, validation, share = 1 }) => ({
      id: Number(trial),
      value: validation![0]!,
      share: Number(share),
    }));
  return { searched: trials.filter(({ id }) => id !== 0), defaults: trials.find(({ id }) => id === 0) };
}

/** Steps have names and times, and no value. */
function stepsOf(log: readonly LogLine[]): Block[] {
  const seconds = log.map(line => line.seconds ?? Number.NaN);
  return [
    {
      kind: 'lines',
      title: 'Seconds by step',
      x: { label: 'step', style: 'count' },
      y: { label: 'seconds', style: 'general' },
      series: [{ name: 'step', x: log.map(({ iteration }) => iteration), y: seconds }],
    },
    {
      kind: 'table',
      title: 'Steps that have ended',
      columns: [column('number', 'count'), column('step'), column('seconds', 'seconds')],
      rows: log.map((line, i) => [line.iteration, String(line.step), seconds[i]!]),
    },
  ];
}

export function linesOf(measure: string, series: readonly LineSeries[], unit: Unit): LinesChart {
  return {
    kind: 'lines',
    title: `${measure} by ${unit}`,
    x: { label: unit, style: 'count' },
    y: { label: measure, style: 'value' },
    series,
  };
}

function curveOf(name: string, log: readonly LogLine[], of: 'training' | 'validation'): LineSeries {
  const all = log.filter(line => hasValue(line, of));
  // A picture shows no more than its pixels; the last value is always there.
  const every = Math.ceil(all.length / MOST_POINTS);
  const known = all.filter((_, i) => i % every === 0 || i === all.length - 1);
  return { name, x: known.map(({ iteration }) => iteration), y: known.map(line => line[of]![0]!) };
}

function hasValue(line: LogLine, of: 'training' | 'validation'): boolean {
  return typeof line[of]?.[0] === 'number';
}
