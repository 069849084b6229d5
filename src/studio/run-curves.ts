/** The log of a run as pictures: learning curves, trials, steps. */
import type { LineSeries, LinesChart } from '../report/charts.js';
import { column } from '../report/columns.js';
import type { Block, Section } from '../report/document.js';
import type { LoggedIteration } from '../runs/run-folder.js';

/** Of a longer curve every second, third, … value is drawn. */
const MOST_POINTS = 1000;

/** What a line of a log is of: it has the number, or the name, of that. */
const UNITS = ['fold', 'trial', 'step'] as const;
type Unit = (typeof UNITS)[number] | 'iteration';

type LogLine = LoggedIteration & {
  readonly [unit in (typeof UNITS)[number]]?: unknown;
} & {
  /** Of a line that is of several iterations. */
  readonly curve?: { readonly iterations: readonly number[]; readonly values: readonly number[] };
};

export function unitOf([first]: readonly LoggedIteration[]): Unit {
  return UNITS.find(unit => first !== undefined && Object.hasOwn(first, unit)) ?? 'iteration';
}

export function logSection(log: readonly LoggedIteration[], measure: string): Section {
  const unit = unitOf(log);
  return unit === 'step'
    ? { title: 'Steps', blocks: stepsOf(log) }
    : { title: 'Learning curves', blocks: curvesOf(log, measure) };
}

/** Training and selecting data by iteration; a curve a fold; of trials the best so far as well. */
export function curvesOf(log: readonly LogLine[], measure: string): Block[] {
  const unit = unitOf(log);
  const ofEach = log.flatMap(({ iteration, curve }): LineSeries[] =>
    curve === undefined ? [] : [{ name: `${unit} ${iteration}`, x: curve.iterations, y: curve.values }],
  );
  if (ofEach.length > 0) return [linesOf(measure, ofEach, 'iteration')];
  const curves = unit === 'trial' ? trialsOf(log) : iterationsOf(log);
  if (curves.length === 0) return [{ kind: 'text', text: `No ${unit} has ended yet.` }];
  return [linesOf(measure, curves, unit)];
}

function iterationsOf(log: readonly LogLine[]): LineSeries[] {
  const curves = [curveOf('training', log, 'training'), curveOf('selecting data', log, 'validation')];
  return curves.filter(({ x }) => x.length > 0);
}

/** As the page of a search draws them: trial 0 is the defaults, which the others are held against. */
function trialsOf(log: readonly LogLine[]): LineSeries[] {
  const known = log.filter(line => hasValue(line, 'validation'));
  const trials = known.map(line => ({ id: Number(line.trial), value: line.validation![0]! }));
  const usual = trials.find(({ id }) => id === 0);
  const searched = trials.filter(({ id }) => id !== 0).sort((a, b) => a.id - b.id);
  if (searched.length === 0) return usual === undefined ? [] : [{ name: 'defaults', x: [0], y: [usual.value] }];
  const [x, y] = [searched.map(({ id }) => id), searched.map(({ value }) => value)];
  let best = -Infinity;
  return [
    { name: 'best so far', stepped: true, x, y: y.map(value => (best = Math.max(best, value))) },
    { name: 'trial', dots: true, x, y },
    ...(usual === undefined ? [] : [{ name: 'defaults', x, y: x.map(() => usual.value) }]),
  ];
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

export function linesOf(measure: string, series: readonly LineSeries[], unit: Unit = 'iteration'): LinesChart {
  return {
    kind: 'lines',
    title: `${measure} by ${unit}`,
    x: { label: unit, style: 'count' },
    y: { label: measure, style: 'value' },
    series,
  };
}

export function curveOf(name: string, log: readonly LogLine[], of: 'training' | 'validation'): LineSeries {
  const all = log.filter(line => hasValue(line, of));
  // A picture shows no more than its pixels; the last value is always there.
  const every = Math.ceil(all.length / MOST_POINTS);
  const known = all.filter((_, i) => i % every === 0 || i === all.length - 1);
  return { name, x: known.map(({ iteration }) => iteration), y: known.map(line => line[of]![0]!) };
}

function hasValue(line: LogLine, of: 'training' | 'validation'): boolean {
  return typeof line[of]?.[0] === 'number';
}
