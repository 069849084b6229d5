/** One run, and several beside each other. */
import { resolve } from 'node:path';
import { compareSteps } from '../../analysis/compare.js';
import { kebab, ListwiseError, quote } from '../../errors.js';
import { compareSections, compareVerdict } from '../../report/commands/compare.js';
import type { Document } from '../../report/document.js';
import { inTurns } from '../../steps.js';
import { trainers } from '../../training/all.js';
import { DEFAULT_HOLDOUT } from '../../training/train.js';
import type { RunView, TrainingRequest, View } from '../answers.js';
import { commandLine } from '../command-line.js';
import { runDocument, runsDocument } from '../run-documents.js';
import type { StudioRun } from '../run-list.js';
import type { Workspace } from '../workspace.js';
import { rowOf } from './overview.js';
import { type Asked, measureOf, theseModels, view } from './view.js';

/** Of more runs than this each is compared with the first alone: pairs grow with the square. */
const MOST_IN_PAIRS = 6;

export async function runView(workspace: Workspace, { ids }: Asked): Promise<RunView> {
  const run = await workspace.runs.named(ids.join('/'));
  const marks = await workspace.runs.marks();
  return {
    ...view(runDocument({ run, log: await workspace.runs.logOf(run) }), commandLine('runs', run.run.directory)),
    started: commandLine(...run.run.record.commandLine),
    run: rowOf(workspace, run, marks.of[run.id]),
    again: await againOf(workspace, run),
  };
}

/**
 * The run as a training of the studio: where it is one, its data is here as it was, and nothing went into it that
 * trainings of the studio know nothing of.
 */
async function againOf(workspace: Workspace, { run }: StudioRun): Promise<TrainingRequest | undefined> {
  const { command, data, options, seed, workingDirectory } = run.record;
  const { model, objective, select, holdout = DEFAULT_HOLDOUT, from, refit, load, options: own } = options;
  if (command !== 'train' || typeof model !== 'string' || !Object.hasOwn(trainers, model)) return undefined;
  const modules = Array.isArray(load) ? load.length > 0 : load !== undefined;
  if (from !== undefined || refit || modules || holdout !== DEFAULT_HOLDOUT) return undefined;
  const here = async (role: string, other?: string) => {
    const recorded = data.find(one => one.role === role);
    if (recorded === undefined) return undefined;
    const file = resolve(workingDirectory, recorded.file);
    const found = workspace.data.find(one => resolve(one.file) === file)?.id;
    // A file that has changed since, or was read in another way, would give another model.
    const same =
      found !== undefined && (await workspace.fingerprintOf(found, other).catch(() => '')) === recorded.fingerprint;
    return same ? found : undefined;
  };
  const train = await here('train');
  if (train === undefined) return undefined;
  const validate = await here('validate', train);
  if (validate === undefined && data.some(({ role }) => role === 'validate')) return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    data: train,
    validate,
    model,
    objective: text(objective),
    select: text(select),
    seed,
    set: Object.entries((own ?? {}) as object).map(([key, value]) => `${kebab(key)}=${written(value)}`),
  };
}

/** Lists are written with commas. */
function written(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Curves and options side by side; over data, paired tests of their models as well. */
export async function compareView(workspace: Workspace, { query }: Asked): Promise<View> {
  const runs = await Promise.all(query.getAll('run').map(id => workspace.runs.named(id)));
  if (runs.length < 2) throw new ListwiseError('request-invalid', 'give two runs or more to compare');
  const followed = await Promise.all(runs.map(async run => ({ run, log: await workspace.runs.logOf(run) })));
  const document = runsDocument(followed);
  const dataId = query.get('data') ?? '';
  const listed = commandLine('runs', ...runs.map(({ run }) => run.directory));
  if (dataId === '') return view(document, listed);
  const without = runs.find(({ hasModel }) => !hasModel);
  if (without !== undefined)
    throw new ListwiseError('request-invalid', `${quote(without.name)} has no model to compare`);
  const measure = measureOf(query);
  const models = runs.map(({ id }) => `run/${id}`);
  const { tested, command, notes } = await workspace.answer(['compare', measure], { data: [dataId], models }, () =>
    pairedTests(workspace, runs, dataId, measure),
  );
  const sections = [...tested.sections, ...document.sections];
  return view({ ...document, verdict: tested.verdict, sections }, `${listed}\n${command}`, notes);
}

async function pairedTests(
  workspace: Workspace,
  runs: readonly StudioRun[],
  dataId: string,
  measure: string,
): Promise<{
  readonly tested: Pick<Document, 'verdict' | 'sections'>;
  readonly command: string;
  readonly notes: readonly string[];
}> {
  const ids = runs.map(({ id }) => `run/${id}`);
  const { data, named, names, notes } = await theseModels(workspace, dataId, ids);
  const systems = [];
  for (const [s, id] of ids.entries()) {
    systems.push({ name: names[s]!, data, scores: await workspace.scores(id, data) });
  }
  const baseline = runs.length > MOST_IN_PAIRS ? names[0]! : undefined;
  const comparison = await inTurns(compareSteps(systems, measure, { baseline }));
  return {
    tested: { verdict: compareVerdict(comparison), sections: compareSections({ systems, comparison }) },
    command: commandLine(
      'compare',
      workspace.fileOf(dataId),
      ...named.flatMap(({ file }, s) => ['--system', `${names[s]}=${file}`]),
      '-m',
      measure,
      ...(baseline === undefined ? [] : ['--baseline', baseline]),
    ),
    notes,
  };
}
