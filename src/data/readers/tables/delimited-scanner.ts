/**
 * Finds the fields of CSV and TSV. Nothing is guessed but the separator: a header line, fields quoted as in RFC 4180
 * (any field may be quoted, a quote inside is doubled, a quoted field may span lines), every line that holds something
 * a record with as many fields as the header.
 */
import { plural, quote } from '../../../errors.js';
import { Cells } from './cells.js';
import type { Scanned, Scanner } from './scanner.js';
import { TextProblem, type TextWindow } from './text-window.js';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

export class DelimitedScanner implements Scanner {
  readonly cells = new Cells();
  readonly grows = false;
  readonly quotedNumbers = true;
  #names: string[] = [];
  #nameStarts: number[] = [];
  #delimiters: readonly number[];

  /** The separators to look for in the header; the first that it has is the table's. */
  constructor(separators: string) {
    this.#delimiters = [...separators].map(char => char.charCodeAt(0));
  }

  get names(): readonly string[] {
    return this.#names;
  }

  get separator(): string {
    return String.fromCharCode(this.#delimiters[0]!);
  }

  nameAt(column: number): number | undefined {
    return this.#nameStarts[column];
  }

  scan(window: TextWindow): Scanned {
    this.cells.rows = 0;
    if (this.#names.length > 0) return this.#records(window, window.from, 0, Infinity);
    const header = this.#header(window);
    return this.#names.length === 0 ? header : this.#records(window, header.end, header.lines, Infinity);
  }

  #header(window: TextWindow): Scanned {
    const { bytes, from, to } = window;
    const nothing = { end: from, lines: 0, problem: undefined };
    if (from === to) return nothing;
    if (bytes[from] === LF || (bytes[from] === CR && bytes[from + 1] === LF)) {
      const problem = new TextProblem('table-syntax', 'the first line is empty; it must be the header', from);
      return { ...nothing, problem };
    }
    const candidates = this.#delimiters;
    const attempt = (delimiter: number) => {
      this.#delimiters = [delimiter];
      this.cells.rows = this.cells.width = 0;
      return this.#records(window, from, 0, 1);
    };
    // A table in which none of them is has one column.
    const found = candidates.find(delimiter => attempt(delimiter).problem === undefined && this.cells.width > 1);
    const scanned = attempt(found ?? candidates[0]!);
    if (this.cells.rows > 0) this.#takeNames(bytes);
    else this.#delimiters = candidates;
    return scanned;
  }

  #takeNames(bytes: Buffer): void {
    const { cells } = this;
    for (let c = 0; c < cells.width; c++) {
      const start = cells.spans[2 * c]!;
      const end = cells.spans[2 * c + 1]!;
      const quoted = bytes[start - 1] === QUOTE;
      const name = this.text(bytes, start, end) ?? '';
      this.#nameStarts.push(quoted ? start - 1 : start);
      this.#names.push(quoted ? name : name.trim());
    }
    cells.rows = 0;
  }

  text(bytes: Buffer, start: number, end: number): string | undefined {
    if (end < 0) return bytes.toString('utf8', start, ~end).replaceAll('""', '"');
    return end === start ? undefined : bytes.toString('utf8', start, end);
  }

  /** Records from a byte on, at most so many; the width of the first counts where there is none yet. */
  #records(window: TextWindow, from: number, linesBefore: number, most: number): Scanned {
    const { bytes, to } = window;
    const { cells } = this;
    const delimiter = this.#delimiters[0]!;
    let p = from;
    let end = from;
    let lines = linesBefore;
    let doneLines = linesBefore;
    const stop = (problem?: TextProblem): Scanned => ({ end, lines: doneLines, problem });
    while (p < to && cells.rows < most) {
      if (bytes[p] === LF || (bytes[p] === CR && bytes[p + 1] === LF && p + 1 < to)) {
        p += bytes[p] === LF ? 1 : 2;
        end = p;
        doneLines = ++lines;
        continue;
      }
      const { width } = cells;
      if (width > 0) cells.reserve();
      let spans = cells.spans;
      const base = 2 * cells.rows * width;
      let fields = 0;
      let extra = -1;
      for (;;) {
        const start = p;
        let fieldStart = start;
        let fieldEnd: number;
        let c = bytes[p]!;
        if (c === QUOTE) {
          fieldStart++;
          let doubled = false;
          for (;;) {
            c = bytes[++p]!;
            if (c === LF) {
              if (p >= to) break;
              lines++;
            } else if (c === QUOTE) {
              if (bytes[p + 1] !== QUOTE) break;
              doubled = true;
              p++;
            }
          }
          if (p >= to) {
            if (!window.last) return stop();
            return stop(new TextProblem('table-syntax', 'a quoted field is not closed', start));
          }
          fieldEnd = doubled ? ~p : p;
          c = bytes[++p]!;
          if (c !== delimiter && c !== LF && c !== CR) {
            const found = quote(String.fromCodePoint(bytes.toString('utf8', p, p + 4).codePointAt(0)!));
            return stop(new TextProblem('table-syntax', `${found} behind the end of a quoted field`, p));
          }
        } else {
          while (c !== delimiter && c !== LF && c !== CR && c !== QUOTE) c = bytes[++p]!;
          fieldEnd = p;
        }
        if (c === QUOTE) {
          return stop(new TextProblem('table-syntax', 'a quote inside a field that does not start with one', p));
        }
        if (fields < width || width === 0) {
          if (base + 2 * fields + 1 >= spans.length) {
            const grown = new Int32Array(2 * spans.length);
            grown.set(spans);
            spans = cells.spans = grown;
          }
          spans[base + 2 * fields] = fieldStart;
          spans[base + 2 * fields + 1] = fieldEnd;
        } else if (extra < 0) extra = start;
        fields++;
        if (c === delimiter) {
          p++;
          continue;
        }
        if (p >= to) return stop(); // the record goes on behind the window
        if (c === CR && bytes[p + 1] !== LF) {
          return stop(new TextProblem('line-end-invalid', CARRIAGE_RETURN, p));
        }
        if (c === CR && p + 1 >= to) return stop();
        break;
      }
      if (width === 0) cells.width = fields;
      else if (fields !== width) {
        const detail = `${plural(fields, 'field')} where the header has ${width}`;
        return stop(new TextProblem('row-ragged', detail, extra < 0 ? p : extra));
      }
      cells.rows++;
      p += bytes[p] === CR ? 2 : 1;
      end = p;
      doneLines = ++lines;
    }
    return stop();
  }
}

const CARRIAGE_RETURN = 'a carriage return inside a line; lines end in LF or CR LF';
