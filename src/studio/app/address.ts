/** Addresses of views: what stands after the hash, such as `#/query/d0/17?model=m0`. */

export interface Address {
  readonly name: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function addressNow(): Address {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
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

export function go(parts: readonly string[], query: Query = {}): void {
  location.hash = addressOf(parts, query);
}

/** The address of what is shown already: nothing is drawn anew. */
export function settle(parts: readonly string[], query: Query = {}): void {
  history.replaceState(null, '', addressOf(parts, query));
}
