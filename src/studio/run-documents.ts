/** Runs as documents: how one is going, and what several have in common. */
import { kebab } from '../errors.js';
import { isObject } from '../io/is-object.js';
import type { LinesChart } from '../report/charts.js';
import { column } from '../report/columns.js';
import { distinct } from '../report/distinct.js';
import type { Document, Section, TableBlock } from '../report/document.js';
import { fixed } from '../report/numbers.js';
import { counted, listed } from '../report/words.js';
import { findingsTable, findingsVerdict } from '../reproduce/document.js';
import { besideSection } from '../reproduce/drawn.js';
import type { Finding } from '../reproduce/experiment.js';
import { RUN_FILES } from '../runs/layout.js';
import type { LoggedIteration } from '../runs/run-folder.js';
import type { RunRow } from './answers.js';
import { curvesBeside, linesOf, logSection, unitOf } from './run-curves.js';
import type { StudioRun } from './run-list.js';

/** Characters of an option: a search space has thousands. */
const LONGEST = 160;

export interface Followed {
  readonly run: StudioRun;
  readonly log: readonly LoggedIteration[];
}

export function runDocument({ run, log }: Followed): Document {
  return {
    title: run.name,
    verdict: verdictOf(run, log),
    sections: [
      ...foundIn(run),
      logSection(log, measureOf(run)),
      { title: 'Options', blocks: [optionTable('Options', [run], [...optionsOf(run).keys()])] },
      ...(run.run.record.data.length === 0 ? [] : [{ title: 'Data', blocks: [dataTable(run)] }]),
    ],
  };
}

/** Claims that a run was to check, and the paper's values beside its own. */
function foundIn({ results }: StudioRun): Section[] {
  const findings = results?.findings;
  if (!Array.isArray(findings) || findings.length === 0) return [];
  // The file is whoever's made the folder: what is not as commands write it is not shown.
  try {
    const found = findings as Finding[];
    return [{ title: 'Findings', blocks: [findingsTable(found)] }, ...besideSection(found)];
  } catch {
    return [];
  }
}

/** Whether the claims hold, in a sentence. */
function foundWords({ results }: StudioRun): string {
  const { findings, scale } = results ?? {};
  if (!Array.isArray(findings) || typeof scale !== 'string') return '';
  try {
    return findingsVerdict(findings as Finding[], scale);
  } catch {
    return '';
  }
}

/** All runs in a table. */
export function listDocument(runs: readonly StudioRun[]): Document {
  const going = runs.filter(({ run }) => run.state === 'running').length;
  return {
    title: 'Runs',
    verdict: `${counted(runs.length, 'run')}, ${going} of them running.`,
    sections: [
      {
        title: 'Runs',
        blocks: [
          {
            kind: 'table',
            title: 'Runs, the newest first',
            columns: [
              column('run'),
              column('value', 'value'),
              ...['measure', 'state', 'command', 'model', 'objective', 'started'].map(title => column(title)),
            ],
            rows: runs.map(run => {
              const { command, options, times } = run.run.record;
              const best = bestOf(run);
              return [
                run.name,
                best?.value ?? Number.NaN,
                best?.measure ?? '',
                run.run.state,
                command,
                modelIn(options),
                String(options.objective ?? ''),
                times.started,
              ];
            }),
          },
        ],
      },
    ],
  };
}

/** Options that are not the same in all runs, each with its value in every run; empty where a run has none. */
export function differencesOf(runs: readonly StudioRun[]): { option: string; values: string[] }[] {
  const options = runs.map(optionsOf);
  const keys = [...new Set(options.flatMap(own => [...own.keys()]))];
  return keys
    .map(option => ({ option, values: options.map(own => own.get(option) ?? '') }))
    .filter(({ values }) => new Set(values).size > 1);
}

export function runsDocument(followed: readonly Followed[]): Document {
  const runs = followed.map(({ run }) => run);
  const names = distinct(runs.map(({ name }) => name));
  const different = differencesOf(runs).map(({ option }) => option);
  return {
    title: 'Runs compared',
    verdict: `${listed(names)}: ${different.length === 0 ? 'all options are the same' : counted(different.length, 'option differs', 'options differ')}.`,
    sections: [
      ...curvesSection(followed, names),
      { title: 'What differs', blocks: [optionTable('Options that differ', runs, different, names)] },
    ],
  };
}

/** Values of different measures do not belong on one axis, nor do iterations, folds and trials. */
function curvesSection(followed: readonly Followed[], names: readonly string[]): Section[] {
  const charts = new Map<string, LinesChart>();
  for (const [i, { run, log }] of followed.entries()) {
    const [measure, unit] = [measureOf(run), unitOf(log)];
    const drawn = curvesBeside(names[i]!, log, measure).filter(({ x }) => x.length > 0);
    const key = JSON.stringify([measure, unit]);
    const series = [...(charts.get(key)?.series ?? []), ...drawn];
    if (drawn.length === 0) continue;
    const chart = linesOf(measure, series, unit);
    // One alone has no legend to say which it is.
    charts.set(key, series.length > 1 ? chart : { ...chart, title: `${chart.title}: ${series[0]!.name}` });
  }
  if (charts.size === 0) return [];
  return [
    {
      title: 'Learning curves',
      lead: 'On the data that selects the best iteration, or the best trial.',
      blocks: [...charts.values()],
    },
  ];
}

/** What a run trains; a search says so in its space. */
export function modelIn({ model, space }: StudioRun['run']['record']['options']): string {
  return String(model ?? (isObject(space) ? space.model : undefined) ?? '');
}

function measureOf({ run }: StudioRun): string {
  return String(run.record.options.select ?? 'value');
}

function verdictOf(studioRun: StudioRun, log: readonly LoggedIteration[]): string {
  const { name, run } = studioRun;
  const { command, error } = run.record;
  const best = bestOf(studioRun);
  if (best !== undefined) return `${name} (${command}, ${run.state}): ${best.measure} ${fixed(best.value)}.`;
  const found = run.state === 'finished' ? foundWords(studioRun) : '';
  if (found !== '') return `${name} (${command}, ${run.state}): ${found}`;
  if (error !== undefined) return `${name} (${command}) failed: ${error.message}.`;
  return `${name} (${command}) is ${run.state}, after ${counted(log.length, unitOf(log))}.`;
}

/** What a run came to, by its results: of the best iteration or trial, or the mean over folds. */
export function bestOf({ run, results }: Pick<StudioRun, 'run' | 'results'>): RunRow['best'] {
  // Of one that goes on they are those of before.
  if (run.state === 'running') return undefined;
  const select = String(run.record.options.select ?? '');
  const best = results?.best as { measure?: unknown; value?: unknown } | undefined;
  if (typeof best?.value === 'number') return { measure: String(best.measure ?? select), value: best.value };
  const means = isObject(results?.mean) ? results.mean : {};
  // What selects need not be among the measures that were asked for: the first of those then.
  const measure = Object.hasOwn(means, select) ? select : (firstMeasure(results?.measures) ?? '');
  const value = Object.hasOwn(means, measure) ? means[measure] : undefined;
  return typeof value === 'number' ? { measure, value } : undefined;
}

function firstMeasure(measures: unknown): string | undefined {
  const [first] = Array.isArray(measures) ? (measures as unknown[]) : [];
  return isObject(first) && typeof first.measure === 'string' ? first.measure : undefined;
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

function optionTable(
  title: string,
  runs: readonly StudioRun[],
  keys: readonly string[],
  names = runs.map(({ name }) => name),
): TableBlock {
  return {
    kind: 'table',
    title,
    columns: [column('option'), ...names.map(name => column(name))],
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
