/** The features of a table: values of each kind as numbers, and all that is wrong with them in one error. */
import { few, ListwiseError, type Place, quote, shellWord } from '../../../errors.js';
import { daysOf } from './cell-dates.js';
import { missingWordsShown } from './missing-words.js';
import type { FeatureKind } from './roles.js';

export interface BadValue {
  readonly value: string;
  readonly place: Place;
  readonly where: string;
}

/** More levels than this are ids, not categories; trees know as many. */
export const MOST_LEVELS = 65_535;

export function tooManyLevels(name: string): ListwiseError {
  return new ListwiseError(
    'column-type',
    `category ${quote(name)} has more than ${MOST_LEVELS} different values; is it an id? leave it out with \`ignore: ${shellWord(name)}\``,
  );
}

export class TableFeature {
  readonly name: string;
  readonly kind: FeatureKind;
  /** Levels of a category; a level's place is its code. */
  readonly levels: string[];
  readonly #codes: Map<string, number>;
  /** Whether levels are fixed by a description, so that others are missing values. */
  readonly #fixed: boolean;
  unknownLevels = 0;
  /** The largest difference between an integer, or a time in days, and what float32 makes of it. */
  rounding = 0;
  /** Whether some value was a number. */
  someNumber = false;
  /** The first value that is none. */
  bad: BadValue | undefined;

  constructor(name: string, kind: FeatureKind, levels: readonly string[] | undefined) {
    this.name = name;
    this.kind = kind;
    this.levels = [...(levels ?? [])];
    this.#fixed = levels !== undefined;
    this.#codes = new Map(this.levels.map((level, code) => [level, code]));
  }

  get hasOwnLevels(): boolean {
    return this.kind === 'category' && !this.#fixed;
  }

  /** The code of a level; NaN for one that the description does not know. */
  code(level: string): number {
    const known = this.#codes.get(level);
    if (known !== undefined) return known;
    if (this.#fixed) {
      this.unknownLevels++;
      return Number.NaN;
    }
    if (this.levels.length === MOST_LEVELS) {
      throw tooManyLevels(this.name);
    }
    this.#codes.set(level, this.levels.length);
    return this.levels.push(level) - 1;
  }
}

/** The error for all features with values that are none of their kind; undefined where there is none. */
export function featuresProblem(features: readonly TableFeature[]): ListwiseError | undefined {
  const bad = features.filter(feature => feature.bad !== undefined);
  const [first] = bad;
  if (first === undefined) return undefined;
  const { place } = first.bad!;
  const texts = bad.filter(feature => feature.kind === 'number' && !feature.someNumber);
  if (texts.length > 0)
    return notNumeric(
      bad.map(feature => ({ name: feature.name, holds: holds(feature) })),
      place,
    );
  const wrong = bad.map(({ name, kind, bad }) => {
    const allowed =
      kind === 'date'
        ? `a date such as 2024-01-31 or 2024-01-31T12:00:00Z, or ${missingWordsShown}`
        : `a number that fits 32-bit floating point, or ${missingWordsShown}`;
    return `${bad!.where}feature ${quote(name)} is ${quote(bad!.value)}; it must be ${allowed}`;
  });
  const others = bad.slice(1).map(({ name, bad }) => `${quote(name)} (${quote(bad!.value)})`);
  const more = others.length === 0 ? '' : `; so must ${few(others)}`;
  const words = bad
    .map(({ bad }) => bad!.value)
    .filter(value => /^[^\d\s,]{1,12}$/.test(value) && !/^[+-]?inf/i.test(value));
  const advice =
    words.length === 0 ? '' : `; where it stands for a missing value: \`missing: ${shellWord(words.join(','))}\``;
  return new ListwiseError('feature-value-invalid', `${wrong[0]}${more}${advice}`, place);
}

function holds({ someNumber, bad }: TableFeature): { what: string; kind: ColumnHolds } {
  const value = quote(bad!.value);
  if (daysOf(bad!.value) !== undefined) return { what: `dates such as ${value}`, kind: 'date' };
  return { what: `text such as ${value}${someNumber ? ' among its numbers' : ''}`, kind: 'text' };
}

type ColumnHolds = 'date' | 'text' | 'other';

/** Columns that cannot be features as they are, with lines to paste. */
export function notNumeric(
  columns: readonly { readonly name: string; readonly holds: { readonly what: string; readonly kind: ColumnHolds } }[],
  place: Place,
): ListwiseError {
  const names = (kind: ColumnHolds) => columns.filter(({ holds }) => holds.kind === kind).map(({ name }) => name);
  const list = (some: readonly string[]) => shellWord(some.map(name => name.replaceAll(',', '?')).join(','));
  const declared = [
    ...(names('text').length > 0 ? [`\`categories: ${list(names('text'))}\``] : []),
    ...(names('date').length > 0 ? [`\`dates: ${list(names('date'))}\``] : []),
  ];
  const ignore = `\`ignore: ${list(columns.map(({ name }) => name))}\``;
  const one = columns.length === 1;
  const shown = columns
    .map(({ name, holds }) => `${one ? 'column ' : ''}${quote(name)} holds ${holds.what}`)
    .join(', ');
  const what = one ? `${shown}, which cannot be a feature` : `${columns.length} columns cannot be features: ${shown}`;
  const declare = declared.length === 0 ? '' : ` or declare ${one ? 'it' : 'them'}: ${declared.join(' ')};`;
  return new ListwiseError(
    'column-type',
    `${what}; leave ${one ? 'it' : 'them'} out: ${ignore};${declare} ids are named with \`queryColumn\` and \`documentColumn\``,
    place,
  );
}
