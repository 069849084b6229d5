/** Runs as documents: how one is going, and what several have in common. */
import { kebab } from '../errors.js';
import type { LineSeries, LinesChart } from '../report/charts.js';
import { column } from '../report/columns.js';
import type { Block, Document, TableBlock } from '../report/document.js';
import { fixed } from '../report/numbers.js';
import { counted, listed } from '../report/words.js';
import type { LoggedIteration } from '../runs/run-folder.js';
import type { StudioRun } from './run-list.js';

/** Of a longer curve every second, third, … value is drawn. */
const MOST_POINTS = 1000;

interface Followed {
  readonly run: StudioRun;
  readonly log: readonly LoggedIteration[];
}

/** Training and selecting data by iteration. */
export function curvesOf(log: readonly LoggedIteration[], measure: string): Block[] {
  const curves = [curve('training', log, 'training'), curve('selecting data', log, 'validation')].filter(
    ({ x }) => x.length > 0,
  );
  return curves.length === 0 ? [nothingYet] : [linesOf(measure, curves)];
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

const nothingYet = { kind: 'text', text: 'No iteration has ended yet.' } as const;

function linesOf(measure: string, series: readonly LineSeries[]): LinesChart {
  return {
    kind: 'lines',
    title: `${measure} by iteration`,
    x: { label: 'iteration', style: 'count' },
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

function verdictOf({ name, run, results }: StudioRun, log: readonly LoggedIteration[]): string {
  const { command, error } = run.record;
  const best = bestOf(results);
  if (best !== undefined) return `${name} (${command}, ${run.state}): ${best.measure} ${fixed(best.value)}.`;
  if (error !== undefined) return `${name} (${command}) failed: ${error.message}.`;
  return `${name} (${command}) is ${run.state}, after ${counted(log.length, 'iteration')}.`;
}

/** What a training came to, by its results. */
export function bestOf(results: StudioRun['results']): { measure: string; value: number } | undefined {
  const best = results?.best as { measure?: unknown; value?: unknown } | undefined;
  return typeof best?.value === 'number' ? { measure: String(best.measure ?? ''), value: best.value } : undefined;
}

/** Options as one writes them, those of the trainer among them. */
function optionsOf({ run }: StudioRun): Map<string, string> {
  const { options = {}, ...others } = run.record.options as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return new Map([
    ...Object.entries({ seed: run.record.seed, ...others }).map(([key, value]) => [kebab(key), text(value)] as const),
    ...Object.entries(options as object).map(([key, value]) => [kebab(key), text(value)] as const),
  ]);
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
