/**
 * The documents of a search response with their logged features, as the learning-to-rank plugins of Elasticsearch and
 * OpenSearch write them: `hits.hits[].fields._ltrlog[0].ENTRY = [{"name": …, "value": …}, …]`. A feature that did not
 * match has no value. Or as Elasticsearch itself does with named queries and their scores (its own learning to rank):
 * `hits.hits[].matched_queries = {NAME: score}`, where a feature that did not match is not there.
 */
import { quote, quoteJson } from '../../../errors.js';
import type { JsonPlace } from './json-place.js';

export interface LoggedDocument {
  readonly query: string;
  readonly id: string;
  /** Features in the order of the log. */
  readonly features: readonly LoggedFeature[];
  /** Whether features that are not there may be in other documents. */
  readonly open?: boolean;
  readonly place: JsonPlace;
}

export interface LoggedFeature {
  readonly name: string;
  /** Undefined where the log has none. */
  readonly value: number | undefined;
  readonly place: JsonPlace;
}

/** Further values that features may leave behind stand among them under this name, in an object. */
const EXTRA = 'extra_logging';

/** `query` names the query of all; without it a document belongs to the query that its entry is named after. */
export function* loggedDocuments(response: JsonPlace, query: string | undefined): Iterable<LoggedDocument> {
  if (response.has('error')) {
    throw response.at('error').error('table-syntax', `the search failed: ${quoteJson(response.value)}`);
  }
  if (response.has('timed_out') && response.at('timed_out').value === true) {
    throw response.at('timed_out').error('table-syntax', 'the search timed out, and documents may be missing');
  }
  const named = response.has('qid') ? idOf(response.at('qid')) : query;
  const hits = response.at('hits').at('hits').list();
  const byNamedQueries = hits.some(hit => hit.has('matched_queries') && !hit.has('fields'));
  for (const hit of hits) {
    const id = hit.at('_id').text();
    if (byNamedQueries) {
      if (named === undefined) {
        const text = 'nothing names the query of the response: put "qid" beside "hits", or say `queryFrom: file`';
        throw response.error('query-missing', text);
      }
      yield { query: named, id, features: matchedFeatures(hit), open: true, place: hit };
      continue;
    }
    const log = hit.has('fields') ? hit.at('fields').at('_ltrlog') : hit.at('fields');
    if (log.value === undefined) {
      throw log.error('table-syntax', `document ${quote(id)} has no logged features; "ltr_log" in "ext" asks for them`);
    }
    const [entries] = log.list();
    const names = entries?.keys() ?? [];
    if (entries === undefined || names.length === 0) throw log.wrong('a list that holds an entry');
    if (named !== undefined && names.length > 1) {
      throw entries.error('table-syntax', `one entry a document is due, found ${names.map(quote).join(', ')}`);
    }
    for (const name of names) {
      const entry = entries.at(name);
      yield { query: named ?? name, id, features: featuresOf(entry), place: entry };
    }
  }
}

function idOf(place: JsonPlace): string {
  return typeof place.value === 'number' ? String(place.value) : place.text();
}

function featuresOf(entry: JsonPlace): LoggedFeature[] {
  const features: LoggedFeature[] = [];
  const seen = new Set<string>();
  for (const place of entry.list()) {
    const name = place.at('name').text();
    if (name === EXTRA) continue;
    if (seen.has(name)) throw place.error('feature-duplicate', `feature ${quote(name)} is given twice`);
    seen.add(name);
    features.push({ name, value: loggedValue(place.at('value')), place });
  }
  return features;
}

/** Scores of named queries; a document that no query matched has none. */
function matchedFeatures(hit: JsonPlace): LoggedFeature[] {
  if (!hit.has('matched_queries')) return [];
  const matched = hit.at('matched_queries');
  if (Array.isArray(matched.value))
    throw matched.error('table-syntax', 'named queries have no scores; search with ?include_named_queries_score=true');
  return matched.keys().map(name => ({ name, value: loggedValue(matched.at(name)), place: matched.at(name) }));
}

/** JSON has no NaN: it comes as text, or as null. */
function loggedValue(place: JsonPlace): number | undefined {
  const { value } = place;
  if (value === undefined || value === null || value === 'NaN') return undefined;
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  const allowed = 'a number that fits 32-bit floating point, or left out where the feature did not match';
  throw place.error('feature-value-invalid', `a feature value is ${allowed}, found ${quoteJson(value)}`);
}
