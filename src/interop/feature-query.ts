/** The query of a feature, as far as it is known: the words in a field of its name where not, to be changed. */
export function queryOf(name: string, queries: Readonly<Record<string, unknown>> = {}): unknown {
  return queries[name] ?? { match: { [name]: '{{words}}' } };
}
