/** Trainings in the process of the studio: begun, watched, cancelled. */
import { z } from 'zod';
import { ListwiseError, quote } from '../../errors.js';
import { trainDocument } from '../../report/commands/train.js';
import type { Document, Section } from '../../report/document.js';
import { labelsSection } from '../../report/label-shares.js';
import { fixed } from '../../report/numbers.js';
import { count, counted } from '../../report/words.js';
import { DEFAULT_SELECT } from '../../training/train.js';
import type { TrainingRequest, TrainingRow, TrainingView, View } from '../answers.js';
import { curvesBeside, curvesOf, linesOf } from '../run-curves.js';
import { unknown } from '../run-list.js';
import { trainCommand } from '../train-command.js';
import { settledOf, type Training } from '../trainings.js';
import type { Workspace } from '../workspace.js';
import { type Asked, asObject, view } from './view.js';

const text = z.string().max(1000);
const trainingRequest = z.strictObject({
  data: text,
  validate: text.optional(),
  model: text,
  objective: text.optional(),
  select: text.optional(),
  seed: z.int().min(0).optional(),
  set: z.array(text).max(200),
}) satisfies z.ZodType<TrainingRequest>;

/** What would be trained, before it is: the command, its data, and how trainings on that went. */
export async function planView(workspace: Workspace, _: Asked, body: unknown): Promise<View> {
  const asked = requestOf(body);
  const { name } = workspace.dataNamed(asked.data);
  const data = await workspace.dataset(asked.data);
  settledOf(asked);
  const [labels] = data.labels.keys();
  const document = {
    title: 'Try',
    verdict: `Choose what to train, and watch it: ${asked.model} on ${name}, ${counted(data.queries, 'query', 'queries')}, ${counted(data.rows, 'document')}.`,
    sections: [...earlierSection(workspace, asked.data), ...(labels === undefined ? [] : labelsSection(data, labels))],
  };
  return view(
    document,
    trainCommand(asked, id => workspace.fileOf(id)),
  );
}

/** Values of different measures do not belong on one axis. */
function earlierSection({ trainings }: Workspace, data: string): Section[] {
  const before = trainings.all.filter(({ request, log }) => request.data === data && log.length > 0);
  const measures = [...new Set(before.map(({ request }) => selectOf(request)))];
  if (before.length === 0) return [];
  const blocks = measures.map(measure =>
    linesOf(
      measure,
      before
        .filter(({ request }) => selectOf(request) === measure)
        .flatMap(({ name, request, log }) => curvesBeside(`${name}, ${request.model}`, log, measure)),
      'iteration',
    ),
  );
  return [{ title: 'Trainings so far', lead: 'On the data that selects the best iteration.', blocks }];
}

function selectOf({ select = DEFAULT_SELECT }: TrainingRequest): string {
  return select;
}

function requestOf(body: unknown): TrainingRequest {
  const { data, error } = trainingRequest.safeParse(body);
  if (data !== undefined) return data;
  const bySeed = error.issues.some(({ path: [key] }) => key === 'seed');
  const why = `the seed must be a whole number, 0 or above, not ${quote(String(asObject(body).seed))}`;
  throw new ListwiseError('request-invalid', bySeed ? why : 'give data, a model and its options');
}

export async function startTraining(workspace: Workspace, _: Asked, body: unknown): Promise<TrainingRow> {
  const asked = requestOf(body);
  const data = await workspace.dataset(asked.data);
  const validate = asked.validate === undefined ? undefined : await workspace.datasetFor(asked.validate, data);
  return workspace.trainings.start(asked, data, validate).row;
}

export async function cancelTraining(workspace: Workspace, { ids }: Asked): Promise<object> {
  trainingNamed(workspace, ids).cancel();
  return {};
}

export async function trainingView(workspace: Workspace, { ids }: Asked): Promise<TrainingView> {
  const training = trainingNamed(workspace, ids);
  const command = trainCommand(training.request, id => workspace.fileOf(id));
  return { ...view(documentOf(training), command), training: training.row };
}

function trainingNamed({ trainings }: Workspace, [id = '']: readonly string[]): Training {
  const found = trainings.named(id);
  if (found === undefined) throw unknown('training', id);
  return found;
}

/** While it goes on, its curves; after that the page that `train` writes. */
function documentOf(training: Training): Document {
  const { name, trained, log, request } = training;
  const remarks = training.notes.map(note => ({ kind: 'text', text: note }) as const);
  const notes = remarks.length === 0 ? [] : [{ title: 'Remarks', blocks: remarks }];
  if (trained !== undefined) {
    const { verdict, sections } = trainDocument({ trained, loadSeconds: 0, title: name });
    return { title: name, verdict, sections: [...sections, ...notes] };
  }
  return {
    title: name,
    verdict: verdictOf(training),
    sections: [{ title: 'Learning curves', blocks: curvesOf(log, selectOf(request)) }, ...notes],
  };
}

function verdictOf({ name, state, log, total, error, request }: Training): string {
  if (error !== undefined) return `${name} failed: ${error}.`;
  const last = log.at(-1);
  if (last === undefined) return `${name} is ${state === 'running' ? 'about to begin' : state}.`;
  const value = last.validation[0];
  const reached = value === undefined ? '' : `: ${selectOf(request)} ${fixed(value)}`;
  return `${name} is ${state}, after iteration ${count(last.iteration)} of ${count(total)}${reached}.`;
}
