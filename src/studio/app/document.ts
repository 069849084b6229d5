/** One document of a query: what makes its score, or why it is above another. */
import { element } from '../../report/viewer/pieces.js';
import type { DocumentView } from '../answers.js';
import { type Address, addressOf, go, ofList, requestPath } from './address.js';
import { ask } from './api.js';
import { bar, chooser, type Drawn, viewElements } from './dom.js';

export async function documentPage({ parts: [dataId = '', q = '', id = ''], query }: Address): Promise<Drawn> {
  const path = ['document', dataId, q, id];
  const shown = await ask<DocumentView>(`${requestPath(path)}?${query}`);
  const kept = ofList(query);
  const against = [
    { id: '', name: 'nothing: its own score' },
    ...shown.others.map(other => ({ id: other, name: other })),
  ];
  const tools = bar(
    element('a', { href: addressOf(['query', dataId, q], kept) }, `Query ${q}`),
    chooser('Against', against, query.get('against') ?? '', other => go(path, { ...kept, against: other })),
    ...(shown.link === undefined
      ? []
      : [element('a', { href: shown.link, target: '_blank', rel: 'noopener noreferrer' }, 'Open the document')]),
  );
  const title = shown.title === undefined ? [] : [element('p', { class: 'lead' }, shown.title)];
  return { fixed: [tools, ...title, ...viewElements(shown)] };
}
