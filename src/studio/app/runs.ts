/** All runs: filtered, sorted, starred, annotated; any number of them compared. */
import { button, element, growing, sortHeads } from '../../report/viewer/pieces.js';
import { counted } from '../../report/words.js';
import type { Overview, RunRow } from '../answers.js';
import { type Address, addressNow, addressOf, settle } from './address.js';
import { ask } from './api.js';
import { bar, commandLine, type Drawn, sectionElements, verdict } from './dom.js';

/** What is chosen stays while another view is shown; an address that says what is chosen goes before. */
const chosen = new Set<string>();
/** Of a long list so many rows are shown at first. */
const FIRST = 50;
/** So many are drawn at a time, a screen full: whoever types sees the first of them sooner. */
const SEEN = 30;
/** Milliseconds after which whoever types has paused: the chart, which takes longer, follows then. */
const PAUSE = 250;

/** Heads that nothing is sorted by, and that screens do without. */
const SPOKEN = ['choose', 'star'];
/** What a run came to is next to its name: a phone shows that much. */
const COLUMNS = [
  { title: 'run', largestFirst: false, value: ({ name }: RunRow) => name },
  { title: 'value', largestFirst: true, value: ({ best }: RunRow) => best?.value ?? Number.NaN },
  { title: 'state', largestFirst: false, value: ({ state }: RunRow) => state },
  { title: 'command', largestFirst: false, value: ({ command }: RunRow) => command },
  { title: 'model', largestFirst: false, value: ({ model }: RunRow) => model },
  { title: 'objective', largestFirst: false, value: ({ objective }: RunRow) => objective },
  { title: 'started', largestFirst: true, value: ({ started }: RunRow) => started },
  { title: 'note', largestFirst: false, value: ({ mark }: RunRow) => mark.note },
];

export async function runsPage({ query }: Address): Promise<Drawn> {
  let filter = query.get('filter') ?? '';
  const given = query.getAll('run');
  if (given.length > 0) chosen.clear();
  for (const id of given) chosen.add(id);
  let all = false;
  let runs: readonly RunRow[] = [];
  /** Rows are made once, and again when their run has changed. */
  const rows = new Map<string, { readonly of: RunRow; readonly row: HTMLElement }>();
  let texts: readonly string[] = [];
  const said = verdict('');
  const body = element('tbody');
  const grown = growing(body, { first: SEEN, more: SEEN });
  const chart = element('div');
  const problems = element('p', { class: 'note', role: 'status' });
  const more = button('', () => {
    all = true;
    fill(true);
  });
  more.className = 'more';
  const compare = element('a', { class: 'action' }, '');
  const sorting = sortHeads('Runs', COLUMNS, () => fill());
  const spoken = SPOKEN.map(title => element('th', { scope: 'col' }, element('span', { class: 'spoken' }, title)));
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function textOf(run: RunRow): string {
    return [run.name, run.command, run.state, run.model, run.objective, run.mark.note].join(' ').toLowerCase();
  }

  function rowFor(run: RunRow): HTMLElement {
    const known = rows.get(run.id);
    // Whoever writes a note is not interrupted.
    const writing = known?.row.querySelector('input[type="text"]:focus') != null;
    if (known !== undefined && (known.of === run || writing)) return known.row;
    const row = rowOf(run, update, failed);
    rows.set(run.id, { of: run, row });
    return row;
  }

  /** A star or a note that could not be kept is not shown as if it were. */
  function failed(run: RunRow, error: Error): void {
    problems.textContent = error.message;
    rows.delete(run.id);
    fill(true);
  }

  /** `same`: the filter and the order are what they were. */
  function fill(same = false): void {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = runs.filter((_, i) => words.every(word => texts[i]!.includes(word)));
    // As they come, the newest is first; stars are above all.
    const found = sorting
      .sorted(matching, (run, c) => COLUMNS[c]!.value(run))
      .toSorted((a, b) => Number(b.mark.star) - Number(a.mark.star));
    grown.fill(found.length, i => rowFor(found[i]!), all ? found.length : FIRST, { same });
    more.hidden = all || found.length <= FIRST;
    more.textContent = `Show all ${found.length.toLocaleString('en-GB')} runs`;
    const shown = found.length === runs.length ? '' : ` ${found.length.toLocaleString('en-GB')} are shown.`;
    const going = runs.filter(({ state }) => state === 'running').length;
    said.textContent = `${counted(runs.length, 'run')}, ${going} of them running.${shown}`;
    clearTimeout(waiting);
    waiting = setTimeout(() => chart.replaceChildren(...chartOf(found)), chart.firstChild === null ? 0 : PAUSE);
    update();
  }

  function update(): void {
    const enough = chosen.size > 1;
    compare.textContent = enough ? `Compare ${chosen.size} runs` : 'Compare: choose two or more';
    if (enough) compare.setAttribute('href', addressOf(['compare'], { run: [...chosen] }));
    else compare.removeAttribute('href');
    // Another view may be shown by now.
    if (addressNow().name === 'runs') settle(['runs'], { filter, run: [...chosen] });
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
  const table = element(
    'table',
    { 'aria-label': 'Runs', class: 'dense' },
    element('thead', {}, element('tr', {}, ...spoken, ...sorting.heads)),
    body,
  );
  const figure = element(
    'figure',
    { class: 'whole' },
    element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Runs' }, table),
    grown.end,
    more,
  );
  const place = element('div');
  const nothing = verdict('No run folders here yet: train, cv, tune and reproduce make them with --dir.');
  const list = [said, problems, bar(search, compare), figure, chart];
  return {
    fixed: [place],
    async live() {
      const overview = await ask<Overview>('overview');
      const before = new Map(runs.map(run => [JSON.stringify(run), run]));
      // What is as it was is the same object: its row stays, and whatever is being written in it.
      runs = overview.runs.map(run => before.get(JSON.stringify(run)) ?? run);
      texts = runs.map(textOf);
      problems.textContent = overview.problems.join('; ');
      const there = new Set(runs.map(({ id }) => id));
      for (const id of chosen) if (!there.has(id)) chosen.delete(id);
      fill(true);
      const shown = runs.length === 0 ? [nothing] : list;
      // Whoever writes in the list is not interrupted.
      if (place.firstChild !== shown[0])
        place.replaceChildren(...shown, commandLine(overview.list), commandLine(overview.command));
      return [];
    },
  };
}

/** How good they are, by when they were started. */
function chartOf(found: readonly RunRow[]): HTMLElement[] {
  const ordered = found.filter(({ best }) => best !== undefined).sort((a, b) => (a.started < b.started ? -1 : 1));
  if (ordered.length < 2) return [];
  return sectionElements([
    {
      title: 'Values',
      lead: 'What each run came to on the data that selects its best iteration, in the order in which they were started.',
      blocks: [
        {
          kind: 'scatter',
          title: 'Runs by their value',
          item: 'run',
          x: { label: 'run', style: 'count' },
          y: { label: 'value', style: 'value' },
          points: ordered.map(({ name, best, model, command }, i) => ({
            name,
            x: i + 1,
            y: best!.value,
            series: [model || command, best!.measure].filter(Boolean).join(', '),
          })),
        },
      ],
    },
  ]);
}

function rowOf(run: RunRow, changed: () => void, failed: (run: RunRow, error: Error) => void): HTMLElement {
  const box = element('input', { type: 'checkbox', 'aria-label': `Choose ${run.name}` });
  box.checked = chosen.has(run.id);
  box.addEventListener('change', () => {
    if (box.checked) chosen.add(run.id);
    else chosen.delete(run.id);
    changed();
  });
  let { star, note } = run.mark;
  const id = run.id.split('/').map(encodeURIComponent).join('/');
  const save = () => void ask(`mark/${id}`, { star, note }).catch((error: Error) => failed(run, error));
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
  const value = run.best === undefined ? '–' : `${run.best.value.toFixed(4)} ${run.best.measure}`;
  return element(
    'tr',
    {},
    cell(box),
    cell(starred),
    cell(element('a', { href: `#/run/${id}` }, run.name)),
    element('td', { class: 'number' }, value),
    cell(element('span', { class: `state ${run.state}` }, run.state)),
    cell(run.command),
    cell(run.model),
    cell(run.objective),
    element('td', { class: 'time' }, run.started.replace('T', ' ').slice(0, 16)),
    cell(words),
  );
}
