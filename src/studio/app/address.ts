/** Addresses of views: what stands after the hash, such as `#/query/test.txt/17?model=trees.json`. */
import { keepOrders } from '../../report/viewer/pieces.js';
import { orderOf, SORT, withOrder } from '../kept-orders.js';

export interface Address {
  readonly name: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function addressNow(): Address {
  return addressIn(location.hash);
}

function addressIn(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [name = 'runs', ...parts] = path.split('/').filter(Boolean);
  return { name, parts: parts.map(decoded), query: new URLSearchParams(query) };
}

/** What is no escape sequence stands for itself: somebody wrote it by hand. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Values that are empty are left out; of a list each is one. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export function addressOf(parts: readonly string[], query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, given] of Object.entries(query)) {
    for (const value of typeof given === 'string' ? [given] : (given ?? []))
      if (value !== '') search.append(key, value);
  }
  const path = parts.map(encodeURIComponent).join('/');
  return `#/${path}${search.size === 0 ? '' : `?${search}`}`;
}

/** What the server is asked for: the parts of a path, and what stands behind it. */
export function requestPath(parts: readonly string[], query: Query = {}): string {
  return addressOf(parts, query).slice('#/'.length);
}

/** Within a view tables stay in their order, whatever else is chosen there. */
export function go(parts: readonly string[], query: Query = {}): void {
  const here = addressNow();
  const sort = here.name === parts[0] ? here.query.getAll(SORT) : [];
  visit(addressOf(parts, { ...query, [SORT]: sort }));
}

/** The view of an address, at once: the browser's own way there takes a frame or two before it tells anybody. */
function visit(address: string): void {
  if (address === location.hash) return;
  const { href: oldURL } = location;
  history.pushState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }));
}

document.addEventListener('click', event => {
  const held = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (held || event.defaultPrevented || !(event.target instanceof Element)) return;
  const link = event.target.closest('a[href^="#/"]:not([target])');
  if (link === null) return;
  event.preventDefault();
  visit(link.getAttribute('href')!);
});

/** The address of what is shown already: nothing is drawn anew. */
export function settle(parts: readonly string[], query: Query = {}): void {
  settleSorted(parts, query, addressNow().query.getAll(SORT));
}

function settleSorted(
  parts: readonly string[],
  query: Query,
  sort: readonly string[],
  state: unknown = history.state,
): void {
  const address = addressOf(parts, { ...query, [SORT]: sort });
  // Browsers stop a page that changes its address all the time.
  if (address !== location.hash || state !== history.state) history.replaceState(state, '', address);
}

keepOrders({
  get: table => orderOf(table, addressNow().query.getAll(SORT)),
  set(table, order) {
    const here = addressNow();
    settleSorted([here.name, ...here.parts], valuesOf(here.query), withOrder(here.query.getAll(SORT), table, order));
  },
});

function valuesOf(query: URLSearchParams): Query {
  return Object.fromEntries([...query.keys()].map(key => [key, query.getAll(key)]));
}

/** What the browser keeps of a query that was opened from the list. */
const OF_LIST = 'of the list';

// A query that is opened from the list is one of that list: its address says in which order that is. Whoever goes back,
// sorts the list anew and goes forward again follows the new order; an address that somebody was sent keeps its own.
window.addEventListener('hashchange', ({ oldURL }) => {
  const left = addressIn(new URL(oldURL).hash);
  const { name, parts, query } = addressNow();
  if (left.name !== 'queries' || name !== 'query' || left.query.get('data') !== parts[0]) return;
  if (query.has(SORT) && history.state !== OF_LIST) return;
  settleSorted([name, ...parts], valuesOf(query), left.query.getAll(SORT), OF_LIST);
});

/** What a query has of its list, and a document of its query: measure, models, addresses, and the order of the list. */
export function ofList(query: URLSearchParams): Query {
  return {
    measure: query.get('measure') ?? '',
    model: query.getAll('model'),
    link: query.get('link') ?? '',
    [SORT]: query.getAll(SORT),
  };
}
