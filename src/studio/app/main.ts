/** The studio in the browser: an address after the hash is a view; what the server says has changed is drawn anew. */
import { element, opened } from '../../report/viewer/pieces.js';
import { type Address, addressNow, settle } from './address.js';
import { dataPage } from './data.js';
import { documentPage } from './document.js';
import { type Drawn, problem, TITLE } from './dom.js';
import { forcesPage } from './forces.js';
import { queriesPage } from './queries.js';
import { queryPage } from './query.js';
import { redrawn } from './redraw.js';
import { comparePage, runPage } from './run.js';
import { runsPage } from './runs.js';
import { shortcuts } from './shortcuts.js';
import { tryPage } from './try.js';

const main = document.querySelector('main')!;

const pages: ReadonlyMap<string, (address: Address) => Promise<Drawn>> = new Map([
  ['runs', runsPage],
  ['run', runPage],
  ['compare', comparePage],
  ['queries', queriesPage],
  ['query', queryPage],
  ['document', documentPage],
  ['forces', forcesPage],
  ['data', dataPage],
  ['try', tryPage],
]);

/** Views that the navigation names, and those that belong to them. */
const links = [
  ['runs', 'Runs', ['run', 'compare']],
  ['queries', 'Queries', ['query', 'document']],
  ['forces', 'Lambdas', []],
  ['data', 'Data', []],
  ['try', 'Try', []],
] as const;

function navigation(here: string): HTMLElement {
  const items = links.map(([name, title, within]) => {
    const current = name === here ? 'page' : within.some(one => one === here) ? 'true' : undefined;
    return element(
      'li',
      {},
      element('a', { href: `#/${name}`, ...(current !== undefined && { 'aria-current': current }) }, title),
    );
  });
  return element('nav', { 'aria-label': 'Views' }, element('ul', {}, ...items));
}

async function noSuchPage({ name }: Address): Promise<Drawn> {
  return { fixed: [problem(new Error(`There is no view “${name}”.`))] };
}

let drawing = 0;
/** The name of the view that stands there. */
let standing = '';
let live: (() => Promise<void>) | undefined;
/** What the server has said that there is, by its number. */
let told = '';

function entitle(): void {
  const own = main.querySelector(`[${TITLE}]`)?.getAttribute(TITLE);
  const [, link] = links.find(([name, , within]) => [name, ...within].some(one => one === standing)) ?? [];
  const title = own ?? link;
  document.title = title === undefined ? 'listwise studio' : `${title} · listwise studio`;
}

async function show(): Promise<void> {
  const own = ++drawing;
  live = undefined;
  opened.clear();
  shortcuts({});
  main.setAttribute('aria-busy', 'true');
  const address = addressNow();
  const page = pages.get(address.name) ?? noSuchPage;
  const {
    fixed,
    keys = {},
    address: whole,
    live: draw,
  } = await page(address).catch((error: Error): Drawn => ({ fixed: [problem(error)] }));
  const moving = element('div');
  let drawn: string | undefined;
  let redrawing = false;
  /** One at a time, until what is drawn was asked for after the last change that was told. */
  const redraw = async () => {
    if (draw === undefined || redrawing) return;
    redrawing = true;
    while (own === drawing && drawn !== told) {
      drawn = told;
      const elements = await draw().catch((error: Error) => [problem(error)]);
      if (own === drawing) redrawn(moving, elements);
      entitle();
    }
    redrawing = false;
  };
  await redraw();
  // A view that was asked for later is not replaced by one that took longer.
  if (own !== drawing) return;
  if (whole !== undefined) settle(...whole);
  const focused = document.activeElement !== document.body;
  window.scrollTo(0, 0);
  standing = address.name;
  main.replaceChildren(navigation(standing), ...fixed, moving);
  entitle();
  shortcuts(keys);
  main.removeAttribute('aria-busy');
  // What had the focus may be gone: the keyboard goes on from the top of the view.
  if (focused && document.activeElement === document.body) main.focus({ preventScroll: true });
  live = redraw;
}

main.setAttribute('tabindex', '-1');
const connection = element('p', { class: 'note', role: 'status' });
main.before(connection);
const events = new EventSource('/events');
events.addEventListener('message', ({ data }) => {
  connection.textContent = '';
  // What there is, is told first: whatever is asked for after that is at least as new.
  const first = told === '';
  told = data;
  if (first) void show();
  else void live?.();
});
events.addEventListener('error', () => {
  connection.textContent = 'The studio does not answer: what is shown is as it was.';
});
window.addEventListener('hashchange', () => void show());
