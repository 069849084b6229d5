/** Cross-validation by query: parts that rotate through training, validation and test. */
import { ListwiseError } from '../errors.js';
import { concatenate, unifyFeatures } from './concatenate.js';
import type { Dataset } from './dataset.js';
import { splitByQuery } from './split.js';

/**
 * One round of a cross-validation.
 *
 * @example
 * import { evaluate, kFold, scoreData, train } from 'listwise';
 *
 * for (const { fold, train: fit, test: held } of kFold(data, 5, 1)) {
 *   const { model } = await train({ model: 'linear', data: fit });
 *   console.log(fold, evaluate(held, scoreData(model, held), 'ndcg@10')[0]?.mean);
 * }
 */
export interface Fold {
  /** Counted from 1. */
  readonly fold: number;
  readonly train: Dataset;
  /** Absent where no part is kept for validation. */
  readonly validate: Dataset | undefined;
  readonly test: Dataset;
}

/**
 * As many folds as parts. Fold k (from 0) trains on the `train` parts from k on, validates on the next `validate`,
 * tests on the rest, counting parts modulo their number. The folds share the parts' feature memory.
 */
export function rotateParts(parts: readonly Dataset[], train: number, validate: number): Fold[] {
  const n = parts.length;
  if (!(train >= 1 && validate >= 0 && train + validate < n)) {
    throw new ListwiseError(
      'option-invalid',
      `${n} parts cannot give ${train} to training, ${validate} to validation and at least 1 to the test`,
    );
  }
  const aligned = unifyFeatures(parts);
  return aligned.map((_, k) => {
    const take = (from: number, to: number) =>
      concatenate(Array.from({ length: to - from }, (_, i) => aligned[(k + from + i) % n]!));
    return {
      fold: k + 1,
      train: take(0, train),
      validate: validate === 0 ? undefined : take(train, train + validate),
      test: take(train + validate, n),
    };
  });
}

/**
 * What folds have.
 *
 * @example
 * import { kFold } from 'listwise';
 * import type { FoldOptions } from 'listwise/data';
 *
 * const options: FoldOptions = { validate: true };
 * const folds = kFold(data, 5, 1, options);
 */
export interface FoldOptions {
  /** How many parts validate in each fold; true is one. */
  validate?: boolean | number | undefined;
}

/**
 * LETOR's five folds: fold k trains on parts k, k+1, k+2, validates on k+3 and tests on k+4, modulo 5. With
 * `validate: 2` two parts train, two validate and one tests (Burges et al. 2006).
 *
 * @example
 * import { splitByQuery } from 'listwise';
 * import { letorFolds } from 'listwise/data';
 *
 * const parts = splitByQuery(data, [0.2, 0.2, 0.2, 0.2, 0.2], 1);
 * const folds = letorFolds(parts);
 */
export function letorFolds(parts: readonly Dataset[], { validate = 1 }: FoldOptions = {}): Fold[] {
  if (parts.length !== 5) {
    throw new ListwiseError('option-invalid', `LETOR's folds rotate 5 parts, found ${parts.length}`);
  }
  return rotateParts(parts, 4 - Number(validate), Number(validate));
}

/**
 * k parts of nearly equal size by `splitByQuery`; each is the test part once, and the others train or validate.
 *
 * @example
 * import { kFold } from 'listwise';
 *
 * const folds = kFold(data, 5, 1, { validate: true });
 * console.log(folds.map(({ train: fit, test: held }) => [fit.queries, held.queries]));
 */
export function kFold(data: Dataset, k: number, seed: number, options: FoldOptions = {}): Fold[] {
  const validate = Number(options.validate ?? 0);
  const least = 2 + validate;
  if (!(Number.isInteger(k) && k >= least && k <= data.queries)) {
    throw new ListwiseError(
      'option-invalid',
      `the number of folds is a whole number from ${least} to the number of queries (${data.queries}), found ${k}`,
    );
  }
  const parts = splitByQuery(data, new Array<number>(k).fill(1 / k), seed);
  return rotateParts(parts, k - 1 - validate, validate);
}
