/** What there is: runs, models, data; and what can be chosen. */
import { kebab } from '../../errors.js';
import { measureDefinitions } from '../../measures/all.js';
import { objectiveDefinitions } from '../../objectives/all.js';
import { distinct } from '../../report/distinct.js';
import { trainers } from '../../training/all.js';
import { allowed, optionProperties } from '../../training/options.js';
import { DEFAULT_OBJECTIVE, DEFAULT_SELECT } from '../../training/train.js';
import type { Trainer } from '../../training/trainer.js';
import type { Choices, Mark, Overview, RunRow, TrainerChoice } from '../answers.js';
import { whyNotResumed } from '../resuming.js';
import { bestOf, modelIn } from '../run-documents.js';
import type { StudioRun } from '../run-list.js';
import type { Workspace } from '../workspace.js';
import type { Asked } from './view.js';

const NO_MARK: Mark = { star: false, note: '' };

/** `bare`: without runs and their models, of which there may be a thousand, for views that have no use for them. */
export async function overview(workspace: Workspace, { query }: Asked): Promise<Overview> {
  const runs = query.has('bare') ? [] : await workspace.runs.all();
  const [models, marks] = await Promise.all([workspace.models(runs), workspace.runs.marks()]);
  const names = distinct(models.map(({ name }) => name));
  return {
    runs: runs.map(run => rowOf(workspace, run, marks.of[run.id])),
    models: models.map(({ id }, m) => ({ id, name: names[m]! })),
    data: workspace.data.map(({ id, name }) => ({ id, name })),
    trainings: workspace.trainings.all.map(({ row }) => row),
    problems: marks.problems,
    list: workspace.list,
    command: workspace.command,
  };
}

export function rowOf(
  { resume }: Pick<Partial<Workspace>, 'resume'>,
  { id, name, run, ...rest }: StudioRun,
  mark: Mark = NO_MARK,
): RunRow {
  const { command, times, options } = run.record;
  return {
    id,
    name,
    command,
    state: run.state,
    model: modelIn(options),
    objective: String(options.objective ?? ''),
    best: bestOf({ run, results: rest.results }),
    started: times.started,
    ended: times.ended,
    hasModel: rest.hasModel,
    hasReport: rest.hasReport,
    canResume: resume !== undefined && whyNotResumed(run, resume.commands) === undefined,
    mark,
  };
}

/** Objectives that are whole by their name alone; others can be written out. */
export function choices(): Choices {
  return {
    objectives: objectiveDefinitions
      .filter(({ operands }) => operands === 'none' || operands === 'measure')
      .map(({ name, title }) => ({ spec: name, title })),
    measures: measureDefinitions.map(({ name }) => name),
    select: DEFAULT_SELECT,
    trainers: Object.values<Trainer>(trainers).map(trainerChoice),
  };
}

function trainerChoice(trainer: Trainer): TrainerChoice {
  const { name, title, needs, takesObjective = false, objective } = trainer;
  return {
    name,
    title,
    takesObjective: needs === 'objective' || takesObjective,
    objective: objective ?? (needs === 'objective' ? DEFAULT_OBJECTIVE : ''),
    options: Object.entries(optionProperties(trainer)).map(([key, property]) => ({
      name: kebab(key),
      description: property.description ?? '',
      allowed: allowed(property),
      default: shown(property.default),
      choices: property.enum?.map(String) ?? (property.type === 'boolean' ? ['true', 'false'] : undefined),
    })),
  };
}

/** As on a command line. */
function shown(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}
