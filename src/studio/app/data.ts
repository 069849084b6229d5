/** What is in data; of its features each by itself, and beside other data. */
import { element } from '../../report/viewer/pieces.js';
import type { DatasetView, Overview, View } from '../answers.js';
import { DEFAULT_MEASURE } from '../default-measure.js';
import { type Address, go, requestPath } from './address.js';
import { ask } from './api.js';
import { bar, chooser, type Drawn, field, problem, verdict, viewElements } from './dom.js';

export async function dataPage({ parts, query }: Address): Promise<Drawn> {
  const asked = (id: string) => ask<DatasetView>(requestPath(['data', id])).catch((error: Error) => error);
  // An address that says which needs no list to choose from before it is asked for.
  const first = parts[0] === undefined ? undefined : asked(parts[0]);
  const { data } = await ask<Overview>('overview?bare');
  const id = parts[0] ?? data[0]?.id;
  if (id === undefined) return { fixed: [verdict('Name data to look at: --data FILE.')] };
  const chosen = {
    measure: query.get('measure') ?? DEFAULT_MEASURE,
    against: query.get('against') ?? '',
    feature: query.get('feature') ?? '',
  };
  const { measure, against, feature } = chosen;
  const to = (next: Partial<typeof chosen>) => go(['data', id], { ...chosen, ...next });
  const shown = await (first ?? asked(id));
  const features = shown instanceof Error ? [] : shown.features;
  const others = data.filter(other => other.id !== id);
  const tools = bar(
    chooser('Data', data, id, next => go(['data', next], { measure })),
    field('Measure', measure, text => to({ measure: text })),
    field('Feature', feature, name => to({ feature: name }), { suggested: features, placeholder: 'one to draw' }),
    ...(others.length === 0
      ? []
      : [
          chooser('Drift since', [{ id: '', name: 'no other data' }, ...others], against, other =>
            to({ against: other }),
          ),
        ]),
  );
  const [said, ...sections] = shown instanceof Error ? [problem(shown)] : viewElements(shown);
  if (!data.some(one => one.id === id)) return { fixed: [tools, said!] };
  const one = feature === '' ? [] : [later(requestPath(['feature', id], { feature }), 'Drawing …')];
  const drift = against === '' ? [] : [later(requestPath(['drift', id], { against }), 'Comparing …')];
  const alone = later(requestPath(['features', id], { measure }), 'Ranking by each feature alone …');
  return {
    fixed: [tools, said!, ...one, ...drift, ...sections, alone],
    ...(parts[0] === undefined && { address: [['data', id], chosen] }),
  };
}

/** What takes longer comes after the rest. */
function later(path: string, meanwhile: string): HTMLElement {
  const place = element('div', { 'aria-live': 'polite' }, element('p', { class: 'note' }, meanwhile));
  ask<View>(path).then(
    shown => place.replaceChildren(...viewElements(shown)),
    (error: Error) => place.replaceChildren(element('p', { class: 'note', role: 'alert' }, error.message)),
  );
  return place;
}
