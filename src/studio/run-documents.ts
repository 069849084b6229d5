/** Runs as documents: how one is going, and what several have in common. */
import { kebab } from '../errors.js';
import type { LineSeries, LinesChart } from '../report/charts.js';
import { column } from '../report/columns.js';
import type { Block, Document, TableBlock } from '../report/document.js';
import { fixed } from '../report/numbers.js';
import { counted, listed } from '../report/words.js';
import { RUN_FILES } from '../runs/layout.js';
import type { LoggedIteration } from '../runs/run-folder.js';
import type { RunRow } from './answers.js';
import type { StudioRun } from './run-list.js';

/** Of a longer curve every second, third, … value is drawn. */
const MOST_POINTS = 1000;
/** Characters of an option: a search space has thousands. */
const LONGEST = 160;

interface Followed {
  readonly run: StudioRun;
  readonly log: readonly LoggedIteration[];
}

/** What a line of a log is of: it has the number of that. */
const UNITS = ['fold', 'trial', 'step'] as const;
type Unit = (typeof UNITS)[number] | 'iteration';

/** A line of a log that is of several iterations has the learning curve of them. */
interface WithCurve {
  readonly curve?: { readonly iterations: readonly number[]; readonly values: readonly number[] };
}

function unitOf([first]: readonly LoggedIteration[]): Unit {
  return UNITS.find(unit => first !== undefined && Object.hasOwn(first, unit)) ?? 'iteration';
}

/** Training and selecting data by iteration; a curve a fold; of trials the best so far as well. */
export function curvesOf(log: readonly LoggedIteration[], measure: string): Block[] {
  const unit = unitOf(log);
  const ofEach = log.flatMap((line): LineSeries[] => {
    const { curve: own } = line as LoggedIteration & WithCurve;
    return own === undefined ? [] : [{ name: `${unit} ${line.iteration}`, x: own.iterations, y: own.values }];
  });
  if (ofEach.length > 0) return [linesOf(measure, ofEach, 'iteration')];
  const curves = [
    curve('training', log, 'training'),
    curve(unit === 'iteration' ? 'selecting data' : unit, log, 'validation'),
  ].filter(({ x }) => x.length > 0);
  if (curves.length === 0)
    return [{ kind: 'text', text: log.length === 0 ? `No ${unit} has ended yet.` : ended(log, unit) }];
  return [linesOf(measure, unit === 'trial' ? [...curves, bestSoFar(curves.at(-1)!)] : curves, unit)];
}

function bestSoFar({ x, y }: LineSeries): LineSeries {
  let best = -Infinity;
  return { name: 'best so far', stepped: true, x, y: y.map(value => (best = Math.max(best, value))) };
}

export function runDocument({ run, log }: Followed): Document {
  return {
    title: run.name,
    verdict: verdictOf(run, log),
    sections: [
      { title: 'Learning curves', blocks: curvesOf(log, measureOf(run)) },
      { title: 'Options', blocks: [optionTable('Options', [run], [...optionsOf(run).keys()])] },
      { title: 'Data', blocks: [dataTable(run)] },
    ],
  };
}

export function runsDocument(followed: readonly Followed[]): Document {
  const runs = followed.map(({ run }) => run);
  const keys = [...new Set(runs.flatMap(run => [...optionsOf(run).keys()]))];
  const different = keys.filter(key => new Set(runs.map(run => optionsOf(run).get(key) ?? '')).size > 1);
  const measures = [...new Set(runs.map(measureOf))];
  return {
    title: 'Runs compared',
    verdict: `${listed(runs.map(({ name }) => name))}: ${different.length === 0 ? 'all options are the same' : `${counted(different.length, 'option')} differ`}.`,
    sections: [
      {
        title: 'Learning curves',
        lead: 'On the data that selects the best iteration.',
        // Values of different measures do not belong on one axis.
        blocks: measures.map(measure =>
          linesOf(
            measure,
            followed
              .filter(({ run }) => measureOf(run) === measure)
              .map(({ run, log }) => curve(run.name, log, 'validation')),
          ),
        ),
      },
      { title: 'What differs', blocks: [optionTable('Options that differ', runs, different)] },
    ],
  };
}

/** Steps have names, and no value. */
function ended(log: readonly LoggedIteration[], unit: Unit): string {
  const names = log.flatMap(line =>
    Object.entries(line).flatMap(([key, value]) => (key === unit ? [String(value)] : [])),
  );
  return `${counted(log.length, unit)} ended: ${listed(names.slice(-10))}.`;
}

function linesOf(measure: string, series: readonly LineSeries[], unit: Unit = 'iteration'): LinesChart {
  return {
    kind: 'lines',
    title: `${measure} by ${unit}`,
    x: { label: unit, style: 'count' },
    y: { label: measure, style: 'value' },
    series,
  };
}

function curve(name: string, log: readonly LoggedIteration[], of: 'training' | 'validation'): LineSeries {
  const all = log.filter(line => typeof line[of]?.[0] === 'number');
  // A picture shows no more than its pixels; the last value is always there.
  const every = Math.ceil(all.length / MOST_POINTS);
  const known = all.filter((_, i) => i % every === 0 || i === all.length - 1);
  return { name, x: known.map(({ iteration }) => iteration), y: known.map(line => line[of]![0]!) };
}

function measureOf({ run }: StudioRun): string {
  return String(run.record.options.select ?? 'value');
}

function verdictOf(studioRun: StudioRun, log: readonly LoggedIteration[]): string {
  const { name, run } = studioRun;
  const { command, error } = run.record;
  const best = bestOf(studioRun);
  if (best !== undefined) return `${name} (${command}, ${run.state}): ${best.measure} ${fixed(best.value)}.`;
  if (error !== undefined) return `${name} (${command}) failed: ${error.message}.`;
  return `${name} (${command}) is ${run.state}, after ${counted(log.length, unitOf(log))}.`;
}

/** What a run came to, by its results: of the best iteration or trial, or the mean over folds. */
export function bestOf({ run, results }: Pick<StudioRun, 'run' | 'results'>): RunRow['best'] {
  const select = String(run.record.options.select ?? '');
  const best = results?.best as { measure?: unknown; value?: unknown } | undefined;
  if (typeof best?.value === 'number') return { measure: String(best.measure ?? select), value: best.value };
  const mean = (results?.mean as Readonly<Record<string, unknown>> | undefined)?.[select];
  return typeof mean === 'number' ? { measure: select, value: mean } : undefined;
}

/** Options as one writes them, those of the trainer among them. */
function optionsOf({ run }: StudioRun): Map<string, string> {
  const { options = {}, ...others } = run.record.options as Record<string, unknown>;
  const text = (value: unknown) => {
    const whole = typeof value === 'string' ? value : JSON.stringify(value);
    return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}… (the whole is in ${RUN_FILES.record})` : whole;
  };
  const given = [...Object.entries({ seed: run.record.seed, ...others }), ...Object.entries(options as object)];
  // Lists that nothing was put into say nothing.
  const said = given.filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return new Map(said.map(([key, value]) => [kebab(key), text(value)] as const));
}

function optionTable(title: string, runs: readonly StudioRun[], keys: readonly string[]): TableBlock {
  return {
    kind: 'table',
    title,
    columns: [column('option'), ...runs.map(({ name }) => column(name))],
    rows: keys.map(key => [key, ...runs.map(run => optionsOf(run).get(key) ?? '')]),
  };
}

function dataTable({ run }: StudioRun): TableBlock {
  return {
    kind: 'table',
    title: 'Data',
    columns: [
      ...['role', 'file', 'fingerprint'].map(title => column(title)),
      ...['queries', 'documents', 'features'].map(title => column(title, 'count')),
    ],
    rows: run.record.data.map(({ role, file, fingerprint, queries, documents, features }) => [
      role,
      file,
      fingerprint,
      queries,
      documents,
      features,
    ]),
  };
}
