/**
 * What is finished of a search, in a file that only grows: one line a training on a fold, on disk before the search
 * goes on. A search that was ended, by kill -9 too, proposes the same trials again and takes from here what it had
 * finished.
 */
import { dirname } from 'node:path';
import { z } from 'zod';
import { errorCodes, ListwiseError } from '../errors.js';
import { ChainedLines } from '../io/chained-lines.js';
import { differences, type Identity } from '../io/identity.js';
import { isObject } from '../io/is-object.js';
import { Lock } from '../io/lock.js';
import { gatherValues } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import type { LearningCurve } from './fold-job.js';
import type { FoldValue } from './fold-values.js';
import { keyOf } from './methods/method.js';
import type { Values } from './space.js';

const FORMAT = 'listwise/search/4';

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
      readonly curve: LearningCurve;
    }
  | { readonly error: { readonly code: string; readonly message: string } };

/** JSON cannot write NaN. */
const number = z
  .number()
  .nullable()
  .transform(value => value ?? Number.NaN);
const count = z.int().min(0);
const foldValue = z
  .object({ n: count, mean: number, squares: number })
  .refine(({ n, mean, squares }) => n === 0 || Number.isFinite(mean + squares), 'no value of some queries');

/** A line of a search that is decided by so many measures. */
function lineOf(measures: number) {
  return z.object({
    piece: z.object({
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      share: z.number().gt(0).max(1),
      seed: z.int(),
      fold: count,
    }),
    outcome: z.union([
      z.object({
        values: z.array(foldValue).length(measures),
        iteration: count,
        iterations: count,
        seconds: z.number().min(0),
        curve: z
          .object({ iterations: z.array(count), values: z.array(number) })
          .refine(({ iterations, values }) => iterations.length === values.length, 'a curve without its values'),
      }),
      z.object({ error: z.object({ code: z.enum(Object.keys(errorCodes)), message: z.string() }) }),
    ]),
  });
}

/** Keeps outcomes in memory, and in a file where one is named. */
export class Journal {
  readonly #outcomes = new Map<string, PieceOutcome>();
  #file: ChainedLines | undefined;
  #lock: Lock | undefined;

  /**
   * Opens the file of a search, or makes it; `identity` is of all that decides an outcome beside its piece, `measures`
   * the number of those in its criterion.
   */
  static async open(path: string, identity: Identity, measures: number): Promise<Journal> {
    const lock = await Lock.take(dirname(path), 'a search that goes on keeps its journal here');
    try {
      return Journal.#read(path, identity, lineOf(measures), lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static #read(path: string, identity: Identity, line: ReturnType<typeof lineOf>, lock: Lock): Journal {
    const journal = new Journal();
    const file = new ChainedLines(path);
    const [head, ...entries] = file.read();
    const fail = (what: string, at: number): never => {
      file.close();
      throw new ListwiseError('checkpoint-invalid', what, { file: path, line: at });
    };
    if (head === undefined) file.add({ format: FORMAT, identity });
    else if (!isObject(head) || head.format !== FORMAT) fail(`not a search of the format ${FORMAT}`, 1);
    else {
      const other = differences(head.identity, identity);
      if (other !== undefined)
        fail(`the file is of another search, which differs in ${other}; give those again, or start over`, 1);
    }
    for (const [i, entry] of entries.entries()) {
      const { data, error } = line.safeParse(entry);
      if (data === undefined) fail(`not an outcome of a search: ${error!.issues[0]!.message}`, i + 2);
      else journal.#outcomes.set(pieceKey(data.piece), data.outcome);
    }
    journal.#file = file;
    journal.#lock = lock;
    return journal;
  }

  /** Gives all ranks what rank 0 has, so that they ask for the same trainings. */
  share(ranks: Transport): void {
    const [first] = gatherValues(ranks, ranks.rank === 0 ? [...this.#outcomes] : []);
    for (const [key, outcome] of first!) this.#outcomes.set(key, outcome);
  }

  get(piece: Piece): PieceOutcome | undefined {
    return this.#outcomes.get(pieceKey(piece));
  }

  add(piece: Piece, outcome: PieceOutcome): void {
    this.#outcomes.set(pieceKey(piece), outcome);
    this.#file?.add({ piece, outcome });
  }

  close(): void {
    this.#file?.close();
    this.#lock?.release();
  }
}

function pieceKey({ values, share, seed, fold }: Piece): string {
  return `${keyOf(values)} ${share} ${seed} ${fold}`;
}
