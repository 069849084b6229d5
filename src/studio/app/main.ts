/** The studio in the browser: an address after the hash is a view; what the server says has changed is drawn anew. */
import { ask, type Overview, type ShownDocument } from './api.js';
import { button, chooser, commandLine, element, sectionElement, withMinusSigns } from './dom.js';
import { forcesPage } from './forces.js';
import { runsPage } from './runs.js';

const main = document.querySelector('main')!;

/** `#/query/d0/17?model=m0` as its parts. */
function addressNow(): { readonly parts: readonly string[]; readonly query: URLSearchParams } {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { parts: path.split('/').filter(Boolean), query: new URLSearchParams(query) };
}

const links = [
  ['runs', 'Runs'],
  ['queries', 'Queries'],
  ['forces', 'Lambdas'],
  ['data', 'Data'],
] as const;

function navigation(here: string): HTMLElement {
  const items = links.map(([name, title]) =>
    element('li', {}, element('a', { href: `#/${name}`, ...(name === here && { 'aria-current': 'page' }) }, title)),
  );
  return element('nav', { 'aria-label': 'Views' }, element('ul', {}, ...items));
}

function documentPage({ document: shown, command }: ShownDocument): HTMLElement[] {
  document.title = `${shown.title} · listwise studio`;
  return [
    element('p', { class: 'verdict' }, withMinusSigns(shown.verdict)),
    ...shown.sections.map((section, i) => sectionElement(section, i + 1)),
    commandLine(command),
  ];
}

async function runPage(id: string): Promise<HTMLElement[]> {
  const shown = await ask<ShownDocument>(`run/${id}`);
  const report = element('a', { href: `/report/${id}`, target: '_blank', rel: 'noopener' }, 'Open the report');
  return [...documentPage(shown), element('p', {}, report)];
}

/** Two models over data, query by query; a row of the table opens its query. */
async function queriesPage({ data, models }: Overview, query: URLSearchParams): Promise<HTMLElement[]> {
  if (data.length === 0 || models.length === 0)
    return [
      element(
        'p',
        { class: 'verdict' },
        'Name data to rank: --data FILE; and a model: --model FILE, or a run that has one.',
      ),
    ];
  const dataId = query.get('data') ?? data[0]!.id;
  const given = query.getAll('model');
  const [a = models[0]!.id, b = ''] = given;
  const measure = query.get('measure') ?? 'ndcg@10';
  const go = (next: { data?: string; a?: string; b?: string; measure?: string }) => {
    const chosen = { data: dataId, a, b, measure, ...next };
    const search = new URLSearchParams({ data: chosen.data, measure: chosen.measure });
    for (const id of [chosen.a, chosen.b]) if (id !== '') search.append('model', id);
    location.hash = `#/queries?${search}`;
  };
  const asked = new URLSearchParams({ measure });
  for (const id of [a, b]) if (id !== '') asked.append('model', id);
  const open = (id: string) => {
    location.hash = `#/query/${dataId}/${encodeURIComponent(id)}?${asked}`;
  };
  const shown = await ask<ShownDocument>(`queries/${dataId}?${asked}`);
  const name = element('input', { type: 'search', placeholder: 'query id', 'aria-label': 'Open a query' });
  name.addEventListener('keydown', event => {
    if (event.key === 'Enter' && name.value !== '') open(name.value);
  });
  const measureInput = element('input', { type: 'text', value: measure, 'aria-label': 'Measure' });
  measureInput.addEventListener('change', () => go({ measure: measureInput.value }));
  const bar = element(
    'div',
    { class: 'bar' },
    chooser('Data', data, dataId, id => go({ data: id })),
    chooser('From', models, a, id => go({ a: id })),
    chooser('To', [{ id: '', name: 'none' }, ...models], b, id => go({ b: id })),
    element('label', {}, 'Measure ', measureInput),
    element('label', {}, 'Open query ', name),
    button('Open', () => name.value !== '' && open(name.value)),
  );
  const elements = documentPage(shown);
  for (const section of elements) {
    section.addEventListener('click', event => {
      const row = (event.target as Element).closest('tbody tr');
      if (row?.closest('table')?.querySelector('th')?.textContent === 'query')
        open(row.firstElementChild!.textContent!);
    });
  }
  return [bar, ...elements];
}

async function queryPage([dataId, id]: readonly string[], query: URLSearchParams): Promise<HTMLElement[]> {
  const shown = await ask<ShownDocument>(`query/${dataId}/${id}?${query}`);
  const model = query.getAll('model').at(-1);
  const lambdas = new URLSearchParams({
    data: dataId!,
    query: decodeURIComponent(id!),
    ...(model !== undefined && { model }),
  });
  return [...documentPage(shown), element('p', {}, element('a', { href: `#/forces?${lambdas}` }, 'Its lambdas'))];
}

async function dataPage({ data }: Overview, [id = data[0]?.id]: readonly string[]): Promise<HTMLElement[]> {
  if (id === undefined) return [element('p', { class: 'verdict' }, 'Name data to look at: --data FILE.')];
  const shown = await ask<ShownDocument>(`data/${id}`);
  return [
    element(
      'div',
      { class: 'bar' },
      chooser('Data', data, id, next => (location.hash = `#/data/${next}`)),
    ),
    ...documentPage(shown),
  ];
}

let drawing = 0;

async function show(): Promise<void> {
  const own = ++drawing;
  const { parts, query } = addressNow();
  const [name = 'runs', ...rest] = parts;
  document.title = 'listwise studio';
  const views: Readonly<Record<string, () => Promise<HTMLElement[]>>> = {
    runs: async () => runsPage(await ask<Overview>('overview')),
    run: () => runPage(rest.join('/')),
    compare: async () => documentPage(await ask<ShownDocument>(`compare?${query}`)),
    queries: async () => queriesPage(await ask<Overview>('overview'), query),
    query: () => queryPage(rest, query),
    forces: async () => forcesPage(await ask<Overview>('overview'), query),
    data: async () => dataPage(await ask<Overview>('overview'), rest),
  };
  const drawn = await (views[name] ?? views.runs!)().catch((error: Error) => [
    element('p', { class: 'verdict', role: 'alert' }, error.message),
  ]);
  // A view that was asked for later is not replaced by one that took longer.
  if (own === drawing) main.replaceChildren(navigation(name), ...drawn);
}

window.addEventListener('hashchange', () => {
  window.scrollTo(0, 0);
  void show();
});
new EventSource('/events').addEventListener('message', () => {
  const [name = 'runs'] = addressNow().parts;
  // Whoever types or drags is not interrupted.
  const typing = document.activeElement instanceof HTMLInputElement && document.activeElement.type !== 'checkbox';
  if (['runs', 'run', 'compare'].includes(name) && !typing) void show();
});
void show();
