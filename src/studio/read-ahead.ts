/** What is looked at first is read, ranked and summed up before anybody asks. */
import { DEFAULT_MEASURE } from './default-measure.js';
import { dataView } from './views/data.js';
import { queriesView } from './views/queries.js';
import type { Workspace } from './workspace.js';

/** As many models as a view of queries has. */
const MOST_MODELS = 2;

/** Where that fails, whoever asks is told. `asked` says whether somebody has come: what they ask for goes first. */
export async function readAhead(workspace: Workspace, asked: () => boolean): Promise<void> {
  const [first] = workspace.data;
  if (first === undefined) return;
  const ids = [first.id];
  const models = workspace.ownModels.slice(0, MOST_MODELS).map(({ id }) => id);
  try {
    await workspace.dataset(first.id);
    for (const id of models) {
      await workspace.scores(id, await workspace.dataset(first.id, [await workspace.model(id)]));
    }
    if (!asked()) await dataView(workspace, { ids, query: new URLSearchParams() });
    if (asked() || models.length === 0) return;
    const query = new URLSearchParams({ measure: DEFAULT_MEASURE });
    for (const id of models) query.append('model', id);
    await queriesView(workspace, { ids, query });
  } catch {}
}
