/** Finds a model's features in data: by name, none missing, none extra unless the model ignores them. */
import { alignFeatures } from '../data/align-features.js';
import type { Dataset } from '../data/dataset.js';
import { few, ListwiseError, plural, quote } from '../errors.js';
import type { Ranker } from './ranker.js';

/**
 * What becomes of features that only one of model and data has.
 *
 * @example
 * import type { MatchOptions } from 'listwise';
 *
 * const options: MatchOptions = { fill: true, absent: Number.NaN, others: 'ignore', note: text => console.warn(text) };
 */
export interface MatchOptions {
  /** Whether features of the model that the data never names count as absent; otherwise they are an error. */
  fill?: boolean | undefined;
  /** What a document has in those: 0 (default) or NaN for missing. */
  absent?: number | undefined;
  /** What becomes of features that the model does not know: an error (default), or left out with a note. */
  others?: 'refuse' | 'ignore' | undefined;
  /** Called with which features were filled, and which are left out. */
  note?: ((text: string) => void) | undefined;
}

/**
 * The data's column of each of the model's features. Features that the model does not know are an error unless `others`
 * says that they are left out, and so are missing ones, unless the caller says that the data leaves them out on purpose
 * (sparse files never name what is zero throughout): then their column is -1.
 *
 * @example
 * import { matchFeatures } from 'listwise/models';
 *
 * const columns = matchFeatures(model, data, { fill: true });
 * console.log(`feature 0 of the model is column ${columns[0]} of the data`);
 */
export function matchFeatures(
  model: Pick<Ranker, 'featureNames' | 'ignoresOthers' | 'description' | 'categoricalFeatures'>,
  data: Pick<Dataset, 'featureNames'> & Partial<Pick<Dataset, 'description' | 'ownLevels'>>,
  options: MatchOptions = {},
): Int32Array {
  const column = new Map(data.featureNames.map((name, f) => [name, f]));
  const wanted = new Set(model.featureNames);
  const others = data.featureNames.filter(name => !wanted.has(name));
  const extra = model.ignoresOthers || options.others === 'ignore' ? [] : others;
  const missing = model.featureNames.filter(name => !column.has(name));
  if (extra.length > 0 || (missing.length > 0 && !options.fill)) {
    const parts = [
      missing.length > 0 ? `lacks ${names(missing)} of the model's features` : '',
      extra.length > 0 ? `has ${names(extra)} that the model does not know` : '',
    ];
    throw new ListwiseError(
      'feature-mismatch',
      `the data ${parts.filter(Boolean).join(' and ')}; data and model must have the same features ` +
        `(model ${model.featureNames.length}, data ${data.featureNames.length})` +
        (extra.length === 0
          ? '. Where a sparse file just never names them, say `fill: true`'
          : `. Leave out what is too much with \`ignore: ${extra.length > 5 ? 'NAME,…' : extra.join(',')}\``),
    );
  }
  refuseOtherLevels(model, data);
  refuseUnknownCodes(model, data);
  if (missing.length > 0) {
    const counted = Number.isNaN(options.absent ?? 0) ? 'missing' : 'zero';
    options.note?.(`the data never names ${names(missing)}: they count as ${counted}`);
  }
  if (!model.ignoresOthers && extra.length < others.length) {
    options.note?.(`ignored ${plural(others.length, 'feature')} that the model does not know: ${names(others)}`);
  }
  if (model.ignoresOthers && others.length > 0) {
    options.note?.(
      `the model names only the features that it uses; these of the data are not among them: ${names(others)}`,
    );
  }
  return Int32Array.from(model.featureNames, name => column.get(name) ?? -1);
}

/** The data with the features of the model, or of other data, in that order. */
export function withFeaturesOf(model: Parameters<typeof matchFeatures>[0], data: Dataset, options: MatchOptions = {}) {
  return alignFeatures(data, model.featureNames, matchFeatures(model, data, options), options.absent ?? 0);
}

/** A code stands for a level: the same code for another level would be another value without anybody noticing. */
function refuseOtherLevels(model: Pick<Ranker, 'description'>, data: Partial<Pick<Dataset, 'description'>>): void {
  const levels = data.description?.categories ?? {};
  for (const [name, known] of Object.entries(model.description?.categories ?? {})) {
    const found = levels[name];
    if (found === undefined || (found.length === known.length && found.every((level, code) => level === known[code]))) {
      continue;
    }
    throw new ListwiseError(
      'feature-mismatch',
      `category ${quote(name)} has other codes in the data than in the model; read the data with the description of the model's (description: model.description)`,
    );
  }
}

/** Nor does a model that has no names of levels know what a code stands for that the data chose. */
function refuseUnknownCodes(
  model: Pick<Ranker, 'description' | 'categoricalFeatures'>,
  { ownLevels = [] }: Partial<Pick<Dataset, 'ownLevels'>>,
): void {
  const nameless = ownLevels.filter(name => model.description?.categories[name] === undefined);
  if (nameless.length === 0) return;
  const split = model.categoricalFeatures?.();
  const unknown = nameless.filter(name => split?.has(name));
  if (unknown.length === 0) return;
  throw new ListwiseError(
    'feature-mismatch',
    `the model splits ${names(unknown)} by the codes of levels and does not have their names, so that texts of the data ` +
      'would get other codes; give codes as in training, as numbers and without `categories`, or a `description` ' +
      'with the levels in the order of their codes',
  );
}

function names(of: readonly string[]): string {
  return few(of.map(quote));
}
