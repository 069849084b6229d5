/**
 * What the processes of one training run say to each other. Every rank runs the same program on its part of the data
 * and calls the same functions in the same order; each call waits for the others. Numbers are added only where sums do
 * not depend on the order; other floating-point numbers are gathered, and added in the order of ranks.
 */
export interface Transport {
  /** This process, from 0. */
  readonly rank: number;
  readonly size: number;
  /** What carries it, with its version. */
  readonly name: string;
  /** Bytes that this rank handed over so far. */
  readonly bytes: number;
  /** Each number becomes the sum over all ranks: whole numbers, or floats none of whose sums is rounded. */
  sum(numbers: Int32Array | BigInt64Array | Float64Array): void;
  /** The same, of which rank r is to have the r-th piece alone, of so many numbers; the others' are undefined after. */
  sumPieces(numbers: Int32Array, pieces: readonly number[]): void;
  /** Each number becomes the largest of all ranks. */
  max(numbers: Float64Array): void;
  /** What every rank gives, in the order of ranks; parts may differ in length. */
  gather(part: Uint8Array): Uint8Array[];
  /** The same to one rank alone; others are given nothing. */
  gatherAt(rank: number, part: Uint8Array): Uint8Array[];
  /** Numbers of every rank, as many of each, in the order of ranks. */
  gatherAlike(part: Float64Array): Float64Array;
  /** The bytes of rank 0 to all. */
  broadcast(bytes: Uint8Array): void;
  barrier(): void;
  /** The same, asleep while others are at work of their own: it takes a few milliseconds, but no core. */
  meet(): Promise<void>;
  /**
   * The outcome of work, or the ranks whose signal came before its end. All leave the work at the same place: what they
   * gather tells each other.
   */
  unlessAsked<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly asked: number[] }>;
  /** Ends all ranks at once, with this exit code. */
  abort(code: number): void;
  /** Called by all ranks at the end of their work. */
  close(): void;
}

/** One process: every sum is its own. */
export const alone: Transport = {
  rank: 0,
  size: 1,
  name: 'one process',
  bytes: 0,
  sum() {},
  sumPieces() {},
  max() {},
  gather: part => [part],
  gatherAt: (_, part) => [part],
  gatherAlike: part => part,
  broadcast() {},
  barrier() {},
  async meet() {},
  unlessAsked: async (_, work) => ({ done: await work() }),
  abort() {},
  close() {},
};
