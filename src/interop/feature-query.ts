/**
 * What a feature is in an engine, as far as a feature set says it: a query, or a feature of Solr's, which names its
 * class. Where nothing is known, what a field of the feature's name gives stands there, to be changed.
 */
import { isObject } from '../io/is-object.js';

interface SolrFeature {
  readonly class: string;
  readonly params?: unknown;
}

export type FeatureQueries = Readonly<Record<string, unknown>>;

export function queryOf(name: string, queries: FeatureQueries = {}): unknown {
  return hasQuery(name, queries) ? queries[name] : { match: { [name]: '{{words}}' } };
}

export function hasQuery(name: string, queries: FeatureQueries = {}): boolean {
  return Object.hasOwn(queries, name) && !isOfSolr(queries[name]);
}

/** Class and parameters of a feature of Solr's. */
export function solrFeature(name: string, queries: FeatureQueries): SolrFeature | undefined {
  const found = Object.hasOwn(queries, name) ? queries[name] : undefined;
  return isOfSolr(found) ? found : undefined;
}

function isOfSolr(value: unknown): value is SolrFeature {
  return isObject(value) && typeof value.class === 'string';
}
