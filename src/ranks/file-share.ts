/** Which bytes of the input files each rank reads: whole files where there are enough, else pieces between queries. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ListwiseError } from '../errors.js';
import type { Input } from '../io/inputs.js';

/** The query that a line names; undefined where it names none. */
export type QueryOfLine = (line: string) => string | undefined;

/** Places of a file that are looked at, and bytes there. */
const [LOOKS, LOOK] = [32, 4096];

/** Files for each rank, one after the other, of about as many bytes; every rank has one. */
export function dealFiles(inputs: readonly Input[], ranks: number): Input[][] {
  const total = inputs.reduce((bytes, { size = 0 }) => bytes + size, 0);
  const dealt: Input[][] = [];
  let next = 0;
  let taken = 0;
  for (let rank = 0; rank < ranks; rank++) {
    const own: Input[] = [];
    const last = inputs.length - (ranks - rank - 1);
    while (next < last && (own.length === 0 || taken + inputs[next]!.size! / 2 <= (total * (rank + 1)) / ranks)) {
      taken += inputs[next]!.size ?? 0;
      own.push(inputs[next++]!);
    }
    dealt.push(own);
  }
  return dealt;
}

/** A few bytes here and there, hashed: nobody reads all of every file, but other contents mostly show. */
export async function lookOf({ path, size = 0 }: Input): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path!);
  try {
    for (let k = 0; k <= LOOKS; k++) {
      const at = Math.max(0, Math.round((k / LOOKS) * (size - LOOK)));
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOK), 0, LOOK, at);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex').slice(0, 8);
}

/** How a file is cut: a table's pieces each have its header. */
export interface Cut {
  readonly queryOf: QueryOfLine;
  readonly header?: Uint8Array;
}

/** The first line of a file, its end included; undefined where there is none, or it is very long. */
export async function firstLine({ path }: Input): Promise<Uint8Array | undefined> {
  const file = await open(path!);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(10);
    return end < 0 ? undefined : buffer.subarray(0, end + 1);
  } finally {
    await file.close();
  }
}

/** Pieces of plain files for each rank, cut where a query ends; a rank may have none. `cuts` has one a file. */
export async function cutFiles(inputs: readonly Input[], ranks: number, cuts: readonly Cut[]): Promise<Input[][]> {
  const total = inputs.reduce((bytes, { size = 0 }) => bytes + size, 0);
  const dealt: Input[][] = Array.from({ length: ranks }, () => []);
  let before = 0;
  for (const [i, input] of inputs.entries()) {
    const { queryOf, header } = cuts[i]!;
    const size = input.size ?? 0;
    const ends: number[] = [];
    const file = await open(input.path!);
    try {
      for (let rank = 1; rank < ranks; rank++) {
        const even = Math.round((total * rank) / ranks) - before;
        ends.push(even <= 0 ? 0 : even >= size ? size : await queryEnd(file, even, size, queryOf));
      }
    } finally {
      await file.close();
    }
    [...ends, size].forEach((end, rank) => {
      const from = rank === 0 ? 0 : ends[rank - 1]!;
      if (end > from)
        dealt[rank]!.push(end - from === size ? input : pieceOf(input, from, end, from > 0 ? header : undefined));
    });
    before += size;
  }
  return dealt;
}

const PIECE = 1 << 16;
const LONGEST_HEADER = 1 << 20;

/** Where the query of the first line that begins after a place ends. */
async function queryEnd(file: FileHandle, place: number, size: number, queryOf: QueryOfLine): Promise<number> {
  let query: string | undefined;
  for await (const { at, line } of linesAfter(file, place, size)) {
    const own = queryOf(line);
    if (own === undefined) continue;
    if (query !== undefined && own !== query) return at;
    query = own;
  }
  return size;
}

/** Lines, and where they begin. */
async function* linesAfter(file: FileHandle, place: number, size: number) {
  let rest = Buffer.alloc(0);
  let at = place;
  let started = false;
  for (let from = place; from < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE), 0, PIECE, from);
    if (bytesRead === 0) return;
    from += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      // The first one may be the rest of a line.
      if (started) yield { at, line: rest.toString('latin1', 0, end) };
      started = true;
      at += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
  if (started && rest.length > 0) yield { at, line: rest.toString('latin1') };
}

/** A piece of a file, from a byte on. */
interface PieceOfFile extends Input {
  readonly whole: string;
  readonly from: number;
}

function pieceOf({ name, path }: Input, from: number, end: number, header?: Uint8Array): PieceOfFile {
  return {
    name,
    whole: path!,
    from,
    gzip: false,
    size: end - from,
    async *open(taken) {
      if (header !== undefined) yield header;
      for await (const bytes of bytesOf(path!, from, end)) {
        taken?.(bytes.length);
        yield bytes;
      }
    },
  };
}

async function* bytesOf(path: string, from: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (let at = from; at < end; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 20), 0, Math.min(1 << 20, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A mistake that was found in a piece, at its line of the whole file. */
export async function inWholeFile(error: unknown, inputs: readonly (Input | PieceOfFile)[]): Promise<unknown> {
  if (!(error instanceof ListwiseError) || error.place.line === undefined) return error;
  const piece = inputs.find(({ name }) => name === error.place.file);
  if (piece === undefined || !('from' in piece)) return error;
  let { line } = error.place;
  for await (const bytes of bytesOf(piece.whole, 0, piece.from)) for (const byte of bytes) if (byte === 10) line++;
  return new ListwiseError(error.code, error.detail, { ...error.place, line });
}
