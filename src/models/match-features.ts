/** Finds a model's features in data: by name, none missing, none extra. */
import type { Dataset } from '../data/dataset.js';
import { few, ListwiseError, quote } from '../errors.js';

export interface MatchOptions {
  /** What a document has in features that the data leaves out as allowed below: 0 (default) or NaN for missing. */
  absent?: number | undefined;
  /** Told when the data leaves features out. */
  note?: ((text: string) => void) | undefined;
}

/**
 * The data's column of each of the model's features. SVMlight files leave out values of zero, so a file in which the features
 * of the largest ids are zero throughout has fewer columns: numbered features beyond the data's largest number count as
 * absent (-1), with a note. Any other difference is an error.
 */
export function matchFeatures(
  model: { readonly featureNames: readonly string[] },
  data: Dataset,
  options: MatchOptions = {},
): Int32Array {
  const column = new Map(data.featureNames.map((name, f) => [name, f]));
  const wanted = new Set(model.featureNames);
  const extra = data.featureNames.filter(name => !wanted.has(name));
  const missing = model.featureNames.filter(name => !column.has(name));
  if (extra.length > 0 || (missing.length > 0 && !isTail(missing, data.featureNames))) {
    const parts = [
      missing.length > 0 ? `lacks ${names(missing)} of the model's features` : '',
      extra.length > 0 ? `has ${names(extra)} that the model does not know` : '',
    ];
    throw new ListwiseError(
      'feature-mismatch',
      `the data ${parts.filter(Boolean).join(' and ')}; data and model must have the same features ` +
        `(model ${model.featureNames.length}, data ${data.features})`,
    );
  }
  if (missing.length > 0) {
    const counted = Number.isNaN(options.absent ?? 0) ? 'missing' : 'zero';
    options.note?.(`the data has no feature beyond ${data.featureNames.at(-1)}: ${names(missing)} count as ${counted}`);
  }
  return Int32Array.from(model.featureNames, name => column.get(name) ?? -1);
}

const NUMBER = /^(0|[1-9][0-9]*)$/;

/** Whether the names are numbers, all larger than every one of the data's, which are numbers too. */
function isTail(missing: readonly string[], present: readonly string[]): boolean {
  if (![...missing, ...present].every(name => NUMBER.test(name))) return false;
  const largest = present.reduce((most, name) => Math.max(most, Number(name)), -1);
  return missing.every(name => Number(name) > largest);
}

function names(of: readonly string[]): string {
  return few(of.map(quote));
}
