/** A query as two rankings side by side; its documents lead to what makes their scores. */
import { element } from '../../report/viewer/pieces.js';
import type { QueryView } from '../answers.js';
import { type Address, addressOf, go } from './address.js';
import { ask } from './api.js';
import { bar, type Drawn, field, viewElements } from './dom.js';

export async function queryPage({ parts: [dataId = '', id = ''], query }: Address): Promise<Drawn> {
  const shown = await ask<QueryView>(`query/${dataId}/${encodeURIComponent(id)}?${query}`);
  const models = query.getAll('model');
  const kept = { measure: query.get('measure') ?? '', model: models, link: query.get('link') ?? '' };
  const neighbour = (name: string, key: string, other: string | undefined) =>
    other === undefined
      ? []
      : [
          element(
            'a',
            { href: addressOf(['query', dataId, other], kept), 'aria-keyshortcuts': key, title: `Key: ${key}` },
            name,
          ),
        ];
  const tools = bar(
    element('a', { href: addressOf(['queries'], { data: dataId, ...kept }) }, 'All queries'),
    ...neighbour(`Before: ${shown.previous}`, 'k', shown.previous),
    ...neighbour(`Next: ${shown.next}`, 'j', shown.next),
    element('a', { href: addressOf(['forces'], { data: dataId, query: id, model: models.at(-1) }) }, 'Its lambdas'),
    field('Address of a document', kept.link, link => go(['query', dataId, id], { ...kept, link }), {
      placeholder: 'https://…/{document}',
      size: 28,
    }),
  );
  const keys = {
    j: () => shown.next !== undefined && go(['query', dataId, shown.next], kept),
    k: () => shown.previous !== undefined && go(['query', dataId, shown.previous], kept),
  };
  return { fixed: [tools, ...viewElements(shown)], keys };
}
