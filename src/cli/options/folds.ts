/** The options that say how data is cut into folds, shared by the commands that train on folds. */
import { quote } from '../../errors.js';
import { invalid, parsed, text } from '../command/option.js';

/** Folds that the data brings along. */
export const LETOR = 'letor';

export type Folds = number | typeof LETOR;

/** A number of folds, or folds that the data brings along. */
export function foldCount(written: string): Folds {
  if (written === LETOR) return LETOR;
  const number = Number(written);
  if (Number.isInteger(number) && number >= 2) return number;
  throw invalid(
    `--folds is a whole number of at least 2, or ${LETOR} for a directory that comes with its folds, found ${quote(written)}`,
  );
}

export function foldsOption(description: string) {
  return parsed<Folds>('n', description, foldCount);
}

/** How data is cut into folds. */
export interface Cut {
  readonly folds: Folds;
  readonly parts?: string | undefined;
}

/** `2,2,1`: how many parts train, validate and test. Every query is tested once: one part tests. */
export const partsOption = {
  parts: text(
    'train,validate,test',
    `how many parts train, validate and test in a fold, such as 2,2,1 (default: all but one train; ${LETOR}: 3,1,1)`,
  ),
};

/** How many parts validate in a fold, where that is said. */
export function validationParts({ folds, parts: written }: Cut): number | undefined {
  if (written === undefined) return undefined;
  const parts = folds === LETOR ? 5 : folds;
  const [train = 0, validate = 0, test] = /^\d+,\d+,\d+$/.test(written) ? written.split(',').map(Number) : [];
  if (train >= 1 && test === 1 && train + validate + test === parts) return validate;
  throw invalid(
    `--parts is TRAIN,VALIDATE,1, which add up to the ${parts} parts of --folds ${folds}, with at least 1 to train on, found ${quote(written)}`,
  );
}

/** Whether folds bring their validation data. */
export function validatesOnParts(cut: Cut): boolean {
  return (validationParts(cut) ?? (cut.folds === LETOR ? 1 : 0)) > 0;
}

/** Folds that come along are several files, which have no one file beside them. */
export const withLetor = {
  when: ({ options }: { readonly options: { readonly folds: Folds | undefined } }) => options.folds === LETOR,
  not: ['labels', 'group'],
  why: `--folds ${LETOR}: the files are several`,
} as const;
