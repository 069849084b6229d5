/** A query as two rankings side by side; its documents lead to what makes their scores. */
import { afterPaint, element } from '../../report/viewer/pieces.js';
import type { Neighbours, View } from '../answers.js';
import { type Address, addressOf, go, ofList, requestPath } from './address.js';
import { ask } from './api.js';
import { bar, type Drawn, field, viewElements } from './dom.js';

export async function queryPage({ parts: [dataId = '', id = ''], query }: Address): Promise<Drawn> {
  const shown = await ask<View>(`${requestPath(['query', dataId, id])}?${query}`);
  // They are of the whole list, which may take longer: they are asked for once the query stands there.
  let asked: Promise<Neighbours> | undefined;
  const beside = () =>
    (asked ??= ask<Neighbours>(`${requestPath(['neighbours', dataId, id])}?${query}`).catch((): Neighbours => ({})));
  const kept = ofList(query);
  const places = element('span', { class: 'bar' });
  const neighbour = (name: string, key: string, other: string | undefined) =>
    other === undefined
      ? []
      : [
          element(
            'a',
            { href: addressOf(['query', dataId, other], kept), 'aria-keyshortcuts': key, title: `Key: ${key}` },
            `${name}: ${other}`,
          ),
        ];
  afterPaint(async () => {
    const { previous, next } = await beside();
    places.replaceChildren(...neighbour('Before', 'k', previous), ...neighbour('Next', 'j', next));
  });
  const tools = bar(
    element('a', { href: addressOf(['queries'], { data: dataId, ...kept }) }, 'All queries'),
    places,
    element(
      'a',
      { href: addressOf(['forces'], { data: dataId, query: id, model: query.getAll('model').at(-1) }) },
      'Its lambdas',
    ),
    field('Address of a document', query.get('link') ?? '', link => go(['query', dataId, id], { ...kept, link }), {
      placeholder: 'https://…/{document}',
      size: 28,
    }),
  );
  const to = (which: keyof Neighbours) => async () => {
    const other = (await beside())[which];
    if (other !== undefined && tools.isConnected) go(['query', dataId, other], kept);
  };
  return { fixed: [tools, ...viewElements(shown)], keys: { j: to('next'), k: to('previous') } };
}
