/** Two models over data, query by query; the id of a query opens it. */
import { button, element } from '../../report/viewer/pieces.js';
import type { Overview, View } from '../answers.js';
import { DEFAULT_MEASURE } from '../default-measure.js';
import { type Address, go, type Query, requestPath } from './address.js';
import { ask } from './api.js';
import { bar, chooser, type Drawn, field, shownOr, verdict, viewElements } from './dom.js';

export async function queriesPage({ query }: Address): Promise<Drawn> {
  const given = query.get('data');
  const path = (id: string, asked: Query) => requestPath(['queries', id], asked);
  const measure = query.get('measure') ?? DEFAULT_MEASURE;
  // An address that says which needs no lists to choose from before it is asked for.
  const link = query.get('link') ?? '';
  const whole = given !== null && query.has('model') && path(given, { measure, model: query.getAll('model'), link });
  const first = whole ? shownOr(ask<View>(whole), viewElements) : undefined;
  const { data, models } = await ask<Overview>('overview');
  if (data.length === 0 || models.length === 0) {
    const what = 'Name data to rank: --data FILE; and a model: --model FILE, or a run that has one.';
    return { fixed: [verdict(what)] };
  }
  const dataId = query.get('data') ?? data[0]!.id;
  const [a = models[0]!.id, b = ''] = query.getAll('model');
  const asked = { measure, model: [a, b], link };
  const to = (next: { data?: string; a?: string; b?: string; measure?: string }) => {
    const chosen = { data: dataId, a, b, measure, ...next };
    go(['queries'], { data: chosen.data, measure: chosen.measure, model: [chosen.a, chosen.b], link });
  };
  const shown = first ?? shownOr(ask<View>(path(dataId, asked)), viewElements);
  const name = element('input', { type: 'search', placeholder: 'query id', 'aria-keyshortcuts': '/' });
  const open = () => name.value !== '' && go(['query', dataId, name.value], asked);
  name.addEventListener('keydown', event => event.key === 'Enter' && open());
  const tools = bar(
    chooser('Data', data, dataId, id => to({ data: id })),
    chooser('From', models, a, id => to({ a: id })),
    chooser('To', [{ id: '', name: 'none' }, ...models], b, id => to({ b: id })),
    field('Measure', measure, text => to({ measure: text })),
    element('label', {}, 'Open query ', name),
    button('Open', open),
  );
  return { fixed: [tools, ...(await shown)], address: [['queries'], { data: dataId, ...asked }] };
}
