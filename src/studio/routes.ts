/** What stands behind each address of the studio. */
import { ListwiseError } from '../errors.js';
import { markIn } from './marks.js';
import { whyNotResumed } from './resuming.js';
import { dataView, driftView, featuresView, featureView } from './views/data.js';
import { documentsView, lambdasView } from './views/lambdas.js';
import { choices, overview } from './views/overview.js';
import { neighboursView, queriesView } from './views/queries.js';
import { documentView, queryView } from './views/query.js';
import { compareView, runView } from './views/runs.js';
import { cancelTraining, planView, startTraining, trainingView } from './views/trainings.js';
import { type Asked, asObject } from './views/view.js';
import type { Workspace } from './workspace.js';

export type Handler = (workspace: Workspace, asked: Asked, body: unknown) => Promise<object>;

/** By method and name; a map has no names that nobody put there. */
export const routes: ReadonlyMap<string, ReadonlyMap<string, Handler>> = new Map([
  [
    'GET',
    handlers({
      overview,
      choices: async () => choices(),
      run: runView,
      compare: compareView,
      data: dataView,
      features: featuresView,
      feature: featureView,
      drift: driftView,
      queries: queriesView,
      neighbours: neighboursView,
      query: queryView,
      document: documentView,
      documents: documentsView,
      training: trainingView,
    }),
  ],
  [
    'POST',
    handlers({
      lambdas: lambdasView,
      mark: async ({ runs }, { ids }, body) => {
        const mark = markIn(body);
        if (mark === undefined) throw new ListwiseError('request-invalid', 'give a star and a note');
        await runs.mark(ids.join('/'), mark);
        return {};
      },
      remove: async ({ runs }, { ids }, body) => ({ left: await runs.remove(ids.join('/'), asObject(body).name) }),
      resume: resumeRun,
      plan: planView,
      train: startTraining,
      cancel: cancelTraining,
    }),
  ],
]);

function handlers(named: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> {
  return new Map(Object.entries(named));
}

/** In a process of its own: it goes on as it was started, and can be stopped as every other. */
async function resumeRun({ runs, resume }: Workspace, { ids }: Asked): Promise<object> {
  const { run } = await runs.named(ids.join('/'));
  const why = whyNotResumed(run, resume?.commands ?? []);
  if (why !== undefined) throw new ListwiseError('request-invalid', why);
  const failure = await resume!.start(run);
  if (failure !== undefined) throw new ListwiseError('request-invalid', `the run did not go on: ${failure}`);
  return {};
}
