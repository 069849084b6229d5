/** Parses chunks of SVMlight text, from memory or from a range of a file, and words what is wrong with them. */
import { readSync } from 'node:fs';
import { ListwiseError } from '../../../errors.js';
import { type ParserOptions, SvmlightParser, textRoom } from '../../../kernels/parse-svmlight.js';
import { lineTooLong, MAX_LINE_BYTES } from './line-limit.js';
import { parseLine, queryAbsent } from './parse-svmlight.reference.js';
import type { ParsedPiece, Problem } from './piece.js';

const LF = 10;
/** How much more is read at a time to find the end of a line. */
const READ_ON = 1 << 16;

/** Where the text of a chunk is: already in the memory, or to be read from a file by the thread that parses it. */
export type Chunk =
  | { kind: 'text'; from: number; to: number }
  /** The lines that start at bytes `from` to `to` of the file. */
  | { kind: 'range'; file: number; from: number; to: number; size: number };

export class ChunkParser {
  readonly #parser: SvmlightParser;
  readonly #options: ParserOptions;

  constructor(memory: WebAssembly.Memory, options: ParserOptions) {
    this.#options = options;
    this.#parser = new SvmlightParser(memory, options);
  }

  /** The first piece of a chunk. */
  parse(chunk: Chunk): ParsedPiece {
    if (chunk.kind === 'text') this.#parser.begin(chunk.from, chunk.to);
    else {
      const { from, to, filled } = readRange(this.#parser.memory, chunk);
      this.#parser.begin(from, to, filled);
    }
    return this.next();
  }

  /** The piece after one that was not the last of its chunk. */
  next(): ParsedPiece {
    const span = this.#parser.next();
    const piece: ParsedPiece = span;
    if (span.rejected !== 0) piece.problem = this.#problem(span.rejected, span.lines + 1);
    if (span.withoutQuery !== 0) {
      const { code, detail, place } = queryAbsent(this.#parser.line(span.withoutQueryAt), span.withoutQuery);
      piece.queryAbsent = { code, detail, line: place.line!, column: place.column! };
    }
    return piece;
  }

  #problem(address: number, line: number): Problem {
    try {
      parseLine(this.#parser.line(address), this.#options);
    } catch (error) {
      if (!(error instanceof ListwiseError)) throw error;
      return { code: error.code, detail: error.detail, line, column: error.place.column! };
    }
    throw new Error(`line ${line} of a chunk: the kernel refuses what the reference accepts`);
  }
}

/** Length of the byte order mark at the start of an input. */
export function markBytes(start: Uint8Array): number {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
}

interface TextRange {
  from: number;
  to: number;
  /** Up to where the text has been written, to find the end of the last line. */
  filled: number;
}

/** Reads the lines that start in a range into the memory and says where in the text they are. */
function readRange(memory: WebAssembly.Memory, chunk: Chunk & { kind: 'range' }): TextRange {
  const { file, size, to } = chunk;
  // The byte before the range tells whether a line starts with it.
  const start = Math.max(0, chunk.from - 1);
  let text = textRoom(memory, to - start + READ_ON);
  let length = readFully(file, text, 0, to - start, start);
  let filled = length;
  let from = 0;
  if (chunk.from > 0) {
    const before = text.subarray(0, length - 1).indexOf(LF);
    if (before < 0) return { from: 0, to: 0, filled }; // inside a line that starts in an earlier range
    from = before + 1;
  }
  for (let checked = 0; start + length < size && text[length - 1] !== LF; ) {
    // What is no text may have no line end at all; the line is refused as it is.
    if (text.subarray(checked, length).includes(0)) break;
    checked = length;
    if (length > MAX_LINE_BYTES) throw lineTooLong();
    if (text.length < length + READ_ON) text = textRoom(memory, 2 * length + READ_ON);
    const more = readFully(file, text, length, Math.min(text.length - length, size - start - length), start + length);
    if (more === 0) break; // the file has become shorter
    filled = length + more;
    const end = text.subarray(length, length + more).indexOf(LF);
    length += end < 0 ? more : end + 1;
  }
  if (chunk.from === 0) from = markBytes(text.subarray(0, length));
  return { from: Math.min(from, length), to: length, filled };
}

function readFully(file: number, into: Uint8Array, at: number, length: number, position: number): number {
  let done = 0;
  while (done < length) {
    const read = readSync(file, into, at + done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
