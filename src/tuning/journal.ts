/**
 * What is finished of a search, in a file that only grows: one line a training on a fold, on disk before the search
 * goes on. A search that was ended, by kill -9 too, proposes the same trials again and takes from here what it had
 * finished.
 */
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ListwiseError } from '../errors.js';
import type { FoldValue } from './fold-values.js';
import { keyOf } from './methods/method.js';
import type { Values } from './space.js';

const FORMAT = 'listwise/search/2';

/** Which training of a search: everything else is the same for all. */
export interface Piece {
  readonly values: Values;
  readonly share: number;
  readonly seed: number;
  /** From 0. */
  readonly fold: number;
}

export type PieceOutcome =
  | {
      /** One for each measure of the criterion. */
      readonly values: readonly FoldValue[];
      /** The best one, and how many there were. */
      readonly iteration: number;
      readonly iterations: number;
      readonly seconds: number;
    }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Keeps outcomes in memory, and in a file where one is named. */
export class Journal {
  readonly #outcomes = new Map<string, PieceOutcome>();
  #file: number | undefined;

  /** Opens the file of a search, or makes it; `fingerprint` is of all that decides an outcome beside its piece. */
  static open(path: string, fingerprint: string): Journal {
    const journal = new Journal();
    const lines = wholeLines(path);
    if (lines.length > 0) {
      const head = parse(lines[0]!) as { format?: unknown; fingerprint?: unknown } | undefined;
      const place = { file: path, line: 1 };
      if (head?.format !== FORMAT)
        throw new ListwiseError('checkpoint-invalid', `not a search of the format ${FORMAT}`, place);
      if (head.fingerprint !== fingerprint) {
        throw new ListwiseError(
          'checkpoint-invalid',
          'the search was begun with other data, folds, space, criterion, method or seed; give those again, or start over',
          place,
        );
      }
    }
    for (const [i, line] of lines.entries()) {
      if (i === 0) continue;
      const record = parse(line) as { piece: Piece; outcome: PieceOutcome } | undefined;
      if (record === undefined)
        throw new ListwiseError('checkpoint-invalid', 'not a line of JSON', { file: path, line: i + 1 });
      journal.#outcomes.set(pieceKey(record.piece), record.outcome);
    }
    mkdirSync(dirname(path), { recursive: true });
    journal.#file = openSync(path, 'a');
    if (lines.length === 0) journal.#append({ format: FORMAT, fingerprint });
    return journal;
  }

  get(piece: Piece): PieceOutcome | undefined {
    return this.#outcomes.get(pieceKey(piece));
  }

  add(piece: Piece, outcome: PieceOutcome): void {
    this.#outcomes.set(pieceKey(piece), outcome);
    this.#append({ piece, outcome });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: object): void {
    if (this.#file !== undefined) appendLine(this.#file, line);
  }
}

/** One line of JSON in one write, on disk when this returns. */
export function appendLine(file: number, line: object): void {
  writeSync(file, `${JSON.stringify(line)}\n`);
  fdatasyncSync(file);
}

/** The complete lines of a file that grows; what a killed process left behind is cut off. None without a file. */
export function wholeLines(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ListwiseError('file-unreadable', `cannot be read (${code ?? error})`, { file: path });
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole.split('\n').slice(0, -1);
}

function pieceKey({ values, share, seed, fold }: Piece): string {
  return `${keyOf(values)} ${share} ${seed} ${fold}`;
}

/** A value that JSON could not write is NaN again. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line, (key, value) => (value === null && key === 'mean' ? Number.NaN : value));
  } catch {
    return undefined;
  }
}
