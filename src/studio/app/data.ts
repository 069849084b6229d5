/** What is in data; of its features each by itself, and beside other data. */
import { element } from '../../report/viewer/pieces.js';
import type { Overview, View } from '../answers.js';
import { DEFAULT_MEASURE } from '../default-measure.js';
import { type Address, go, requestPath } from './address.js';
import { ask } from './api.js';
import {
  bar,
  chooser,
  commandLine,
  type Drawn,
  field,
  sectionElements,
  shownOr,
  verdict,
  viewElements,
} from './dom.js';

export async function dataPage({ parts, query }: Address): Promise<Drawn> {
  // An address that says which needs no list to choose from before it is asked for.
  const first = parts[0] === undefined ? undefined : shownOr(ask<View>(requestPath(['data', parts[0]])), viewElements);
  const { data } = await ask<Overview>('overview?bare');
  const id = parts[0] ?? data[0]?.id;
  if (id === undefined) return { fixed: [verdict('Name data to look at: --data FILE.')] };
  const [measure, against] = [query.get('measure') ?? DEFAULT_MEASURE, query.get('against') ?? ''];
  const to = (next: { measure?: string; against?: string }) => go(['data', id], { measure, against, ...next });
  const shown = first ?? shownOr(ask<View>(requestPath(['data', id])), viewElements);
  const others = data.filter(other => other.id !== id);
  const tools = bar(
    chooser('Data', data, id, next => go(['data', next], { measure })),
    field('Measure', measure, text => to({ measure: text })),
    ...(others.length === 0
      ? []
      : [
          chooser('Drift since', [{ id: '', name: 'no other data' }, ...others], against, other =>
            to({ against: other }),
          ),
        ]),
  );
  const [said, ...sections] = await shown;
  if (!data.some(one => one.id === id)) return { fixed: [tools, said!] };
  const drift = against === '' ? [] : [later(requestPath(['drift', id], { against }), 'Comparing …')];
  const alone = later(requestPath(['features', id], { measure }), 'Ranking by each feature alone …');
  return {
    fixed: [tools, said!, ...drift, ...sections, alone],
    ...(parts[0] === undefined && { address: [['data', id], { measure, against }] }),
  };
}

/** What takes longer comes after the rest. */
function later(path: string, meanwhile: string): HTMLElement {
  const place = element('div', { 'aria-live': 'polite' }, element('p', { class: 'note' }, meanwhile));
  ask<View>(path).then(
    ({ document, command }) => place.replaceChildren(...sectionElements(document.sections), commandLine(command)),
    (error: Error) => place.replaceChildren(element('p', { class: 'note', role: 'alert' }, error.message)),
  );
  return place;
}
