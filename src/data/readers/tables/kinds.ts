/** What a column that has no role is: a number, a category, a date, or ignored. */
import { didYouMean, few, ListwiseError, plural, quote } from '../../../errors.js';
import type { ColumnKind } from '../../description.js';
import type { ReadOptions } from '../reader.js';

/** `*` stands for any text, `?` for any character; compared with case. */
export function globMatcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) return name => name === pattern;
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'su');
  return name => expression.test(name);
}

interface Rule {
  readonly option: string;
  readonly kind: ColumnKind;
  readonly pattern: string;
  readonly matches: (name: string) => boolean;
}

export class ColumnKinds {
  /** In order of precedence. */
  readonly #rules: readonly Rule[];
  readonly #keep: readonly Rule[];
  readonly #described: Readonly<Record<string, ColumnKind>>;
  readonly #known: ReadonlySet<string> | undefined;

  constructor(options: ReadOptions) {
    const rules = (option: string, kind: ColumnKind, patterns: readonly string[] = []): Rule[] =>
      patterns.map(pattern => ({ option, kind, pattern, matches: globMatcher(pattern) }));
    this.#rules = [
      ...rules('ignore', 'ignore', options.ignore),
      ...rules('categories', 'category', options.categories),
      ...rules('dates', 'date', options.dates),
    ];
    this.#keep = rules('keep', 'number', options.keep);
    this.#described = options.description?.kinds ?? {};
    this.#known = options.knownFeatures === undefined ? undefined : new Set(options.knownFeatures);
  }

  /** A name that is spelt out must be there; a pattern may match nothing. */
  check(columns: readonly string[], file: string): void {
    for (const { option, pattern, matches } of [...this.#rules, ...this.#keep]) {
      if (/[*?]/.test(pattern) || columns.some(matches)) continue;
      throw new ListwiseError(
        'column-unknown',
        `\`${option}\` names ${quote(pattern)}, which is no column${didYouMean(pattern, columns)} The columns are ${few(columns.map(quote), 20)}`,
        { file },
      );
    }
  }

  #asked(name: string): ColumnKind | undefined {
    const rule = this.#rules.find(({ matches }) => matches(name));
    return rule?.kind ?? (Object.hasOwn(this.#described, name) ? this.#described[name] : undefined);
  }

  /** Whether it is said what the column is, so that it is not recognised as something else. */
  decided(name: string): boolean {
    return this.#asked(name) !== undefined || this.#known?.has(name) === true || this.#keep.some(r => r.matches(name));
  }

  kind(name: string): ColumnKind {
    const asked = this.#asked(name);
    // What one model left out another may know.
    if (asked === 'ignore' && !(this.#known?.has(name) && !this.#rules.some(({ matches }) => matches(name))))
      return asked;
    if (this.#keep.length > 0 && !this.#keep.some(({ matches }) => matches(name))) return 'ignore';
    if (this.#known !== undefined && !this.#known.has(name)) return 'ignore';
    return asked === undefined || asked === 'ignore' ? 'number' : asked;
  }

  /** One line on columns that nobody asked to leave out. */
  notes(ignored: readonly string[]): string[] {
    const unknown = ignored.filter(name => this.#asked(name) === undefined && this.#keep.length === 0);
    if (!this.#known?.size || unknown.length === 0) return [];
    return [`ignored ${plural(unknown.length, 'column')} that the model does not know: ${few(unknown)}`];
  }
}
