/**
 * Reads a request straight from its bytes: numbers become rows without a JavaScript object each, several times as
 * quick as JSON.parse. It takes what clients usually send; for anything else, also for what is wrong, it gives
 * undefined, and `readRequest` reads the body and words the error.
 */
import { isUtf8 } from 'node:buffer';
import { type BracketLimits, nextAtTop } from '../io/json-bytes.js';
import { JsonScanner } from '../kernels/scan-json.js';
import {
  type Beside,
  besideOf,
  DEEPEST,
  type Head,
  headOf,
  type Limits,
  MOST_PARTS,
  type Pick,
  type ReadRequest,
  unknownLevel,
} from './request.js';
import type { ServedModel } from './served-models.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Of a value other than documents. */
const LIMITS: BracketLimits = { deepest: DEEPEST, most: MOST_PARTS, exceeded: unusual };

const DOCUMENT_KEYS = ['id', 'features', 'category', 'label'].map(key => ({ key, bytes: Buffer.from(`"${key}"`) }));

/** Ends a scan: the plain way takes over. */
const UNUSUAL = new Error('not the usual form');

/** One for all requests: each is read at a stroke. */
let scanner: JsonScanner | undefined;
/** A memory that a very long text made large is let go. */
const LARGEST_KEPT = 1 << 24;

/** `body` in the pieces that it came in. */
export function scanRequest(body: readonly Buffer[], pick: Pick, limits: Limits): ReadRequest | undefined {
  scanner ??= new JsonScanner();
  try {
    return new Scan(scanner, body, pick, limits).request();
  } catch (error) {
    if (error === UNUSUAL) return undefined;
    throw error;
  } finally {
    if (scanner.size > LARGEST_KEPT) scanner = undefined;
  }
}

function unusual(): never {
  throw UNUSUAL;
}

class Scan {
  readonly #scanner: JsonScanner;
  readonly #pick: Pick;
  readonly #limits: Limits;
  /** The memory of the scanner; places are addresses in it. */
  #bytes: Buffer;
  #p: number;
  readonly #end: number;
  #numbers = 0;
  readonly #unknownLevels = new Map<number, string>();

  constructor(own: JsonScanner, body: readonly Buffer[], pick: Pick, limits: Limits) {
    const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#scanner = own;
    this.#p = own.begin(body, length);
    this.#end = this.#p + length;
    this.#bytes = own.bytes;
    this.#pick = pick;
    this.#limits = limits;
  }

  request(): ReadRequest {
    const head: Record<string, unknown> = {};
    let found: { served: ServedModel; documents: Beside[] } | undefined;
    if (!isUtf8(this.#bytes.subarray(this.#p, this.#end))) unusual();
    this.#expect(OPEN);
    do {
      const key = this.#text();
      this.#expect(COLON);
      if (key === 'documents' || key === 'rows') {
        if (found !== undefined) unusual();
        // What comes behind the documents may name another model: that is seen below.
        const served = this.#pick(this.#headOf(head));
        found = { served, documents: key === 'rows' ? this.#rowList(served) : this.#documents(served) };
      } else {
        if (key === '__proto__' || Object.hasOwn(head, key)) unusual();
        head[key] = this.#value();
      }
    } while (this.#next(CLOSE));
    this.#blanks();
    if (this.#p !== this.#end || found === undefined) unusual();
    const known = this.#headOf(head);
    if (this.#pick(known) !== found.served) unusual();
    return { head: known, ...found, rows: this.#scanner.rows(this.#numbers), unknownLevels: this.#unknownLevels };
  }

  #headOf(head: Readonly<Record<string, unknown>>): Head {
    try {
      return headOf(head);
    } catch {
      return unusual();
    }
  }

  #documents(served: ServedModel): Beside[] {
    const documents: Beside[] = [];
    this.#expect(OPEN_LIST);
    if (this.#empty(CLOSE_LIST)) return documents;
    do {
      const i = documents.length;
      if (i >= this.#limits.documents) unusual();
      let features = false;
      let id: unknown;
      let category: unknown;
      let label: unknown;
      this.#expect(OPEN);
      do {
        const key = this.#documentKey();
        this.#expect(COLON);
        if (key === 'id') id = this.#value();
        else if (key === 'category') category = this.#value();
        else if (key === 'label') label = this.#value();
        else if (key !== 'features') this.#value();
        else if (features) unusual();
        else {
          features = true;
          this.#blanks();
          this.#room(served);
          if (this.#bytes[this.#p] === OPEN_LIST) this.#row(served, i);
          else this.#named(served, i);
        }
      } while (this.#next(CLOSE));
      if (!features) unusual();
      try {
        documents.push(besideOf({ id, category, label }, i));
      } catch {
        unusual();
      }
    } while (this.#next(CLOSE_LIST));
    return documents;
  }

  #rowList(served: ServedModel): Beside[] {
    const width = served.ranker.featureNames.length;
    const documents: Beside[] = [];
    this.#expect(OPEN_LIST);
    if (this.#empty(CLOSE_LIST)) return documents;
    if (served.allPlain && width > 0) {
      // As many as the text can have: each number takes two bytes of it.
      const most = Math.min(this.#limits.documents, Math.ceil((this.#end - this.#p) / (2 * width)));
      if (!this.#scanner.grow(most * width)) unusual();
      this.#p = this.#scanner.rowList(this.#p, width, most) || unusual();
      const n = this.#scanner.count;
      this.#bytes = this.#scanner.bytes;
      this.#numbers = n * width;
      for (let id = 0; id < n; id++) documents.push({ id, category: undefined, label: undefined });
      return documents;
    }
    do {
      const id = documents.length;
      if (id >= this.#limits.documents) unusual();
      this.#room(served);
      this.#row(served, id);
      documents.push({ id, category: undefined, label: undefined });
    } while (this.#next(CLOSE_LIST));
    return documents;
  }

  /** Room for another document, all its features missing. */
  #room({ ranker }: ServedModel): void {
    const from = this.#numbers;
    this.#numbers += ranker.featureNames.length;
    if (!this.#scanner.grow(this.#numbers)) unusual();
    this.#bytes = this.#scanner.bytes;
    this.#scanner.clear(from, this.#numbers);
  }

  #row({ ranker, allPlain, number }: ServedModel, i: number): void {
    const width = ranker.featureNames.length;
    const base = i * width;
    this.#expect(OPEN_LIST);
    if (allPlain && width > 0) {
      this.#p = this.#scanner.row(this.#p, base, width) || unusual();
      return;
    }
    if (this.#empty(CLOSE_LIST)) unusual();
    let f = 0;
    do {
      if (f >= width) unusual();
      this.#set(base + f, this.#value(), value => number(value, f, i));
      f++;
    } while (this.#next(CLOSE_LIST));
    if (f !== width) unusual();
  }

  #named({ ranker, allPlain, number, place, known, order }: ServedModel, i: number): void {
    const base = i * ranker.featureNames.length;
    this.#expect(OPEN);
    if (this.#empty(CLOSE)) return;
    const start = this.#p;
    let features = 0;
    let missed = 0;
    let expected = 0;
    do {
      if (allPlain) {
        const end = this.#scanner.pairs(this.#p, base, order.expected, expected);
        features += this.#scanner.count;
        if (features > this.#limits.features || end === 0) unusual();
        this.#p = Math.abs(end);
        if (end > 0) break;
        expected = this.#scanner.expected;
        missed++;
      }
      if (++features > this.#limits.features) unusual();
      const name = this.#text();
      this.#expect(COLON);
      const value = this.#value();
      const f = place.get(name);
      if (f !== undefined) this.#set(base + f, value, own => number(own, f, i));
      else if (!known.has(name) && !ranker.model.ignoresOthers) unusual();
      expected = order.behind(name) ?? expected;
    } while (this.#next(CLOSE));
    if (missed > 0 && order.missed(missed)) order.learn(this.#namesFrom(start));
  }

  #set(at: number, value: unknown, numberOf: (value: unknown) => number): void {
    const number = numberOf(value);
    const level = unknownLevel(value, number);
    if (level !== undefined) this.#unknownLevels.set(at, level);
    this.#scanner.set(at, number);
  }

  /** The names of an object that was read, from behind its brace. */
  #namesFrom(start: number): string[] {
    const behind = this.#p;
    const names: string[] = [];
    this.#p = start;
    do {
      names.push(this.#text());
      this.#expect(COLON);
      this.#value();
    } while (this.#next(CLOSE));
    this.#p = behind;
    return names;
  }

  /** A key of a document; making a text of each would take longer than looking for those that are known. */
  #documentKey(): string {
    if (this.#bytes[this.#p] !== QUOTE) this.#blanks();
    for (const { key, bytes } of DOCUMENT_KEYS) {
      let n = 0;
      while (n < bytes.length && this.#bytes[this.#p + n] === bytes[n]) n++;
      if (n < bytes.length) continue;
      this.#p += n;
      return key;
    }
    return this.#text();
  }

  /** A text without escapes. */
  #text(): string {
    const bytes = this.#bytes;
    this.#expect(QUOTE);
    const start = this.#p;
    let p = start;
    let ascii = true;
    for (;;) {
      const c = bytes[p]!;
      if (c === QUOTE) break;
      if (c === BACKSLASH || !(c >= 0x20)) unusual();
      if (c >= 0x80) ascii = false;
      p++;
    }
    this.#p = p + 1;
    return ascii ? bytes.toString('latin1', start, p) : bytes.toString('utf8', start, p);
  }

  /** Any value. */
  #value(): unknown {
    const bytes = this.#bytes;
    this.#blanks();
    const start = this.#p;
    if (bytes[start] === QUOTE && this.#isPlainText(start)) return this.#text();
    try {
      this.#p = nextAtTop(bytes, start, this.#end, LIMITS);
      if (this.#p === this.#end) unusual(); // behind it are bytes of another request
      return JSON.parse(bytes.toString('utf8', start, this.#p));
    } catch {
      return unusual();
    }
  }

  /** Whether a text has no escapes. */
  #isPlainText(start: number): boolean {
    const bytes = this.#bytes;
    for (let p = start + 1; ; p++) {
      const c = bytes[p]!;
      if (c === QUOTE) return true;
      if (c === BACKSLASH || c < 0x20) return false;
    }
  }

  #blanks(): void {
    const bytes = this.#bytes;
    let p = this.#p;
    for (;;) {
      const c = bytes[p]!;
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
      p++;
    }
    this.#p = p;
  }

  #expect(c: number): void {
    if (this.#bytes[this.#p] !== c) this.#blanks();
    if (this.#bytes[this.#p] !== c) unusual();
    this.#p++;
  }

  /** Behind a comma true, behind the end false. */
  #next(end: number): boolean {
    let c = this.#bytes[this.#p];
    if (c !== COMMA && c !== end) {
      this.#blanks();
      c = this.#bytes[this.#p];
    }
    this.#p++;
    if (c === COMMA) return true;
    if (c !== end) unusual();
    return false;
  }

  #empty(end: number): boolean {
    this.#blanks();
    if (this.#bytes[this.#p] !== end) return false;
    this.#p++;
    return true;
  }
}
