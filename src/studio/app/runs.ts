/** All runs: filtered, sorted, starred, annotated; any number of them compared. */
import { ask, type Overview, type RunRow } from './api.js';
import { button, element } from './dom.js';

/** What is chosen and typed stays while the table is drawn anew. */
const chosen = new Set<string>();
let filter = '';
let order: keyof typeof orders = 'newest';
/** Of a long list so many rows are drawn at first. */
const FIRST = 200;
let all = false;

const orders = {
  newest: (a: RunRow, b: RunRow) => (a.started < b.started ? 1 : -1),
  'highest value': (a: RunRow, b: RunRow) => (b.best?.value ?? -Infinity) - (a.best?.value ?? -Infinity) || 0,
  name: (a: RunRow, b: RunRow) => a.name.localeCompare(b.name, 'en', { numeric: true }),
};

export function runsPage({ runs }: Overview): HTMLElement[] {
  const body = element('tbody');
  const more = button('', () => {
    all = true;
    fill();
  });
  const compare = button('Compare', () => {
    location.hash = `#/compare?${[...chosen].map(id => `run=${encodeURIComponent(id)}`).join('&')}`;
  });

  function fill(): void {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run: RunRow) =>
      [run.name, run.command, run.state, run.model, run.objective, run.mark.note].join(' ').toLowerCase();
    const found = runs
      .filter(run => words.every(word => text(run).includes(word)))
      .sort((a, b) => Number(b.mark.star) - Number(a.mark.star) || orders[order](a, b));
    const drawn = all ? found : found.slice(0, FIRST);
    body.replaceChildren(...drawn.map(run => rowOf(run, () => update())));
    more.hidden = drawn.length === found.length;
    more.textContent = `Show all ${found.length.toLocaleString('en-GB')} runs`;
    update();
  }

  function update(): void {
    compare.disabled = chosen.size < 2;
    compare.textContent = chosen.size < 2 ? 'Compare: choose two or more' : `Compare ${chosen.size} runs`;
  }

  const search = element('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter runs',
    value: filter,
  });
  search.addEventListener('input', () => {
    filter = search.value;
    fill();
  });
  const sort = element(
    'select',
    { 'aria-label': 'Order' },
    ...Object.keys(orders).map(name => element('option', name === order ? { selected: '' } : {}, name)),
  );
  sort.addEventListener('change', () => {
    order = sort.value as keyof typeof orders;
    fill();
  });
  fill();
  const heads = ['', '', 'run', 'command', 'model', 'objective', 'state', 'value', 'started', 'note'];
  const table = element(
    'table',
    { 'aria-label': 'Runs' },
    element('thead', {}, element('tr', {}, ...heads.map(title => element('th', { scope: 'col' }, title)))),
    body,
  );
  if (runs.length === 0)
    return [
      element(
        'p',
        { class: 'verdict' },
        'No run folders here yet: train, cv, tune and reproduce make them with --dir.',
      ),
    ];
  return [
    element(
      'p',
      { class: 'verdict' },
      `${runs.length.toLocaleString('en-GB')} runs, ${runs.filter(({ state }) => state === 'running').length} of them running.`,
    ),
    element('div', { class: 'bar' }, search, sort, compare),
    element(
      'figure',
      { class: 'whole' },
      element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Runs' }, table),
      more,
    ),
  ];
}

function rowOf(run: RunRow, changed: () => void): HTMLElement {
  const box = element('input', { type: 'checkbox', 'aria-label': `Choose ${run.name}` });
  box.checked = chosen.has(run.id);
  box.addEventListener('change', () => {
    if (box.checked) chosen.add(run.id);
    else chosen.delete(run.id);
    changed();
  });
  let { star, note } = run.mark;
  const save = () => void ask(`mark/${run.id}`, { star, note });
  const starred = button(star ? '★' : '☆', () => {
    star = !star;
    starred.textContent = star ? '★' : '☆';
    starred.setAttribute('aria-pressed', String(star));
    save();
  });
  starred.setAttribute('aria-label', `Star ${run.name}`);
  starred.setAttribute('aria-pressed', String(star));
  const words = element('input', { type: 'text', 'aria-label': `Note on ${run.name}`, value: note, maxlength: '2000' });
  words.addEventListener('change', () => {
    note = words.value;
    save();
  });
  const cell = (...children: (Node | string)[]) => element('td', {}, ...children);
  return element(
    'tr',
    {},
    cell(box),
    cell(starred),
    cell(element('a', { href: `#/run/${run.id}` }, run.name)),
    cell(run.command),
    cell(run.model),
    cell(run.objective),
    cell(element('span', { class: `state ${run.state}` }, run.state)),
    element(
      'td',
      { class: 'number' },
      run.best === undefined ? '–' : `${run.best.value.toFixed(4)} ${run.best.measure}`,
    ),
    cell(run.started.replace('T', ' ').slice(0, 16)),
    cell(words),
  );
}
