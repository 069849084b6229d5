/**
 * The one grammar of the strings that name things: `ndcg(gain=linear,empty=1)@5`, `lambdarank(ndcg@10)`,
 * `softrank(ap,sigma=0.1)`.
 *
 *     spec  := name [ '(' [ arg { ',' arg } ] ')' ] [ '@' cut ]      the cut-off may stand before the arguments, too
 *     arg   := [ key '=' ] spec
 *     name  := one or more of A-Z a-z 0-9 _ . + - / : (numbers are names too)
 *
 * Parsing knows no measure or objective; `parameters.ts` gives the arguments their meaning.
 */
import { ListwiseError, quote } from '../errors.js';

export interface Spec {
  readonly name: string;
  readonly args: readonly Spec[];
  readonly named: ReadonlyMap<string, Spec>;
  readonly cut: number | undefined;
}

const NAME = /[A-Za-z0-9_.+\-/:]/;

class SpecParser {
  #at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  fail(expected: string): never {
    const found = this.#at < this.text.length ? quote(this.text[this.#at]!) : 'the end';
    throw new ListwiseError(
      'spec-syntax',
      `${quote(this.text)} is not a valid name: expected ${expected} at character ${this.#at + 1}, found ${found}`,
    );
  }

  #blanks(): void {
    while (this.text[this.#at] === ' ') this.#at++;
  }

  take(char: string): boolean {
    this.#blanks();
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  atEnd(): boolean {
    this.#blanks();
    return this.#at >= this.text.length;
  }

  #name(): string {
    this.#blanks();
    const start = this.#at;
    while (this.#at < this.text.length && NAME.test(this.text[this.#at]!)) this.#at++;
    if (this.#at === start) this.fail('a name');
    return this.text.slice(start, this.#at);
  }

  #cut(): number {
    const start = this.#at;
    const digits = this.#name();
    if (!/^[1-9][0-9]{0,8}$/.test(digits)) {
      this.#at = start;
      this.fail('a cut-off of at least 1');
    }
    return Number(digits);
  }

  spec(): Spec {
    const name = this.#name();
    const cutFirst = this.take('@') ? this.#cut() : undefined;
    const args: Spec[] = [];
    const named = new Map<string, Spec>();
    if (this.take('(') && !this.take(')')) {
      do {
        const first = this.spec();
        if (!this.take('=')) {
          args.push(first);
          continue;
        }
        if (named.has(first.name)) this.fail(`${quote(first.name)} only once`);
        named.set(first.name, this.spec());
      } while (this.take(','));
      if (!this.take(')')) this.fail('"," or ")"');
    }
    const cut = cutFirst ?? (this.take('@') ? this.#cut() : undefined);
    return { name, args, named, cut };
  }

  /** A comma-separated list; `ndcg@1,3,5` and `ndcg_cut.1,3,5` repeat the last spec with other cut-offs. */
  list(): Spec[] {
    const specs: Spec[] = [];
    do {
      const spec = this.spec();
      const last = specs.at(-1);
      const isNumber = /^[0-9.]+$/.test(spec.name) && printSpec(spec) === spec.name;
      specs.push((isNumber && last !== undefined && withOtherNumber(last, spec.name)) || spec);
    } while (this.take(','));
    return specs;
  }
}

/** With another cut-off, or another number at the end of the name; undefined where there is neither. */
function withOtherNumber(spec: Spec, number: string): Spec | undefined {
  if (spec.cut !== undefined) return /^[0-9]+$/.test(number) ? { ...spec, cut: Number(number) } : undefined;
  const stem = /^(.*[A-Za-z][._])[0-9.]+$/.exec(spec.name)?.[1];
  return stem === undefined ? undefined : { ...spec, name: stem + number };
}

export function parseSpec(text: string): Spec {
  const parser = new SpecParser(text);
  const spec = parser.spec();
  if (!parser.atEnd()) parser.fail('the end');
  return spec;
}

/** Several specs separated by commas, cut-offs expanded: `ndcg@1,3,ap` is `ndcg@1`, `ndcg@3`, `ap`. */
export function parseSpecList(text: string): Spec[] {
  const parser = new SpecParser(text);
  const specs = parser.list();
  if (!parser.atEnd()) parser.fail('"," or the end');
  return specs;
}

export function printSpec(spec: Spec): string {
  const args = [...spec.args.map(printSpec), ...[...spec.named].map(([key, value]) => `${key}=${printSpec(value)}`)];
  return spec.name + (args.length > 0 ? `(${args.join(',')})` : '') + (spec.cut === undefined ? '' : `@${spec.cut}`);
}
