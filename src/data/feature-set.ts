/**
 * Names and order of features, from a file: the JSON of a search engine's feature set
 * (`{"featureset":{"features":[{"name":…}]}}`, with or without the outer object, or as the engine returns it), a JSON
 * array of names, or text with one name a line.
 */
import { readFile } from 'node:fs/promises';
import { ListwiseError, quote } from '../errors.js';
import { isObject } from '../io/is-object.js';
import { unreadable } from '../io/unreadable.js';

/** Whether a text is JSON rather than a list of one name a line. */
export function isFeatureSetJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/**
 * The names of the features of a feature set of the Elasticsearch plugin, or of a file with one a line.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { importModel, readFeatureSet } from 'listwise/interop';
 *
 * const featureSet = await readFeatureSet('features.json');
 * importModel(await readFile('model.txt'), { featureSet });
 */
export async function readFeatureSet(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw unreadable(path, error, 'no such feature set');
  });
  return featureSetNames(text, path);
}

/** The queries of a feature set's features by name, of Solr's their classes; none where it is a list of names. */
export async function readFeatureQueries(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw unreadable(path, error, 'no such feature set');
  });
  if (!isFeatureSetJson(text)) return {};
  const listed = listIn(parse(text, what => fault(path, what)));
  const named = Array.isArray(listed) ? listed.filter(isObject) : [];
  return Object.fromEntries(
    named.flatMap(({ name, template, class: ofSolr, params = {} }) => {
      if (typeof name !== 'string') return [];
      if (typeof ofSolr === 'string') return [[name, { class: ofSolr, params }]];
      return isObject(template) ? [[name, template]] : [];
    }),
  );
}

function fault(file: string, what: string): never {
  throw new ListwiseError('option-invalid', what, { file });
}

/** The names in their order; `file` is the file's name in messages. */
export function featureSetNames(text: string, file: string): string[] {
  const fail = (what: string): never => fault(file, what);
  const names = isFeatureSetJson(text) ? namesIn(parse(text, fail), fail) : lines(text);
  if (names.length === 0) fail('the feature set is empty');
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) fail(`the feature set names ${quote(twice)} twice`);
  return names;
}

function lines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.replace(/#.*/, '').trim())
    .filter(Boolean);
}

function parse(text: string, fail: (what: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`the feature set is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Where engines put the list: at the top, or inside `featureset`, or in the `_source` of a stored one. */
function listIn(value: unknown): unknown {
  let inner = value;
  for (const key of ['_source', 'featureset', 'features']) {
    if (isObject(inner) && key in inner) inner = inner[key];
  }
  return inner;
}

function namesIn(value: unknown, fail: (what: string) => never): string[] {
  const inner = listIn(value);
  if (!Array.isArray(inner)) return fail('a feature set is an array of features, or an object with "features"');
  return inner.map((feature: unknown, i) => {
    const name: unknown = isObject(feature) && 'name' in feature ? feature.name : feature;
    return typeof name === 'string' ? name : fail(`feature ${i + 1} of the feature set has no name`);
  });
}
