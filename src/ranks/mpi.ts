/** Ranks over MPI. Its calls block the main thread, which is the only one that makes them. */
import { setTimeout as wait } from 'node:timers/promises';
import { ListwiseError, plural } from '../errors.js';
import type { Launched } from './launcher.js';
import { loadMpiLibrary, type MpiLibrary } from './mpi-library.js';
import type { Transport } from './transport.js';

/** Bytes that all ranks together hand over in one call: places in a buffer are 32-bit numbers. */
const MOST_BYTES = 2 ** 30;
/** Between two looks at whether others have come. */
const LONGEST_PAUSE_MS = 20;

/** Joins the ranks that a launcher started; `library` names another than the usual ones. */
export async function joinRanks(
  launched: Launched,
  library?: string,
  platform?: string,
  mostBytes = MOST_BYTES,
): Promise<Transport> {
  const mpi = await loadMpiLibrary(launched.launcher, library, platform);
  mpi.init();
  const size = mpi.size();
  if (size !== launched.size) {
    throw new ListwiseError(
      'dependency-missing',
      `${launched.launcher} started ${plural(launched.size, 'process', 'processes')}, but ${mpi.version} sees ${size}: launcher and library do not belong together; ` +
        'use the mpirun of that library, with Slurm its pmix plugin, or name the library by LISTWISE_MPI',
    );
  }
  return new MpiTransport(mpi, size, mostBytes);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Thrown on every rank by what they gather, once one of them was asked to end. */
class AskedToEnd extends Error {
  readonly asked: number[];

  constructor(asked: number[]) {
    super('asked to end');
    this.asked = asked;
  }
}

class MpiTransport implements Transport {
  readonly rank: number;
  readonly size: number;
  readonly name: string;
  readonly #mpi: MpiLibrary;
  readonly #most: number;
  #bytes = 0;
  /** Of the work at hand, where it may be left. */
  #signal: AbortSignal | undefined;

  constructor(mpi: MpiLibrary, size: number, most: number) {
    this.#most = Math.floor(most / size);
    this.rank = mpi.rank();
    this.size = size;
    this.name = mpi.version;
    this.#mpi = mpi;
  }

  get bytes(): number {
    return this.#bytes;
  }

  sum(numbers: Int32Array | BigInt64Array | Float64Array): void {
    this.#bytes += numbers.byteLength;
    if (numbers.length > 0) this.#mpi.allreduce(numbers, 'sum');
  }

  sumPieces(numbers: Int32Array, pieces: readonly number[]): void {
    this.#bytes += numbers.byteLength - 4 * pieces[this.rank]!;
    const before = pieces.slice(0, this.rank).reduce((sum, piece) => sum + piece, 0);
    this.#mpi.reduceScatter(numbers, Int32Array.from(pieces));
    // What is a rank's own comes to the start.
    numbers.copyWithin(before, 0, pieces[this.rank]);
  }

  max(numbers: Float64Array): void {
    this.#bytes += numbers.byteLength;
    if (numbers.length > 0) this.#mpi.allreduce(numbers, 'max');
  }

  gather(part: Uint8Array): Uint8Array[] {
    return this.#gathered(part, true, (...pieces) => this.#mpi.allgather(...pieces));
  }

  gatherAt(rank: number, part: Uint8Array): Uint8Array[] {
    return this.#gathered(part, rank === this.rank, (...pieces) => this.#mpi.gather(rank, ...pieces));
  }

  /** No room is made where nothing is received. */
  #gathered(part: Uint8Array, receives: boolean, gather: MpiLibrary['allgather']): Uint8Array[] {
    // A length below 0 says that this rank was asked to end.
    const lengths = this.gatherAlike(Float64Array.of(this.#signal?.aborted ? -1 - part.length : part.length));
    const asked = [...lengths.keys()].filter(rank => lengths[rank]! < 0);
    if (asked.length > 0) throw new AskedToEnd(asked);
    const parts = receives ? Array.from(lengths, length => new Uint8Array(length)) : [];
    const most = this.#most;
    const longest = lengths.reduce((longer, length) => Math.max(longer, length), 0);
    for (let from = 0; from < longest; from += most) {
      const counts = Int32Array.from(lengths, length => Math.max(0, Math.min(most, length - from)));
      const starts = new Int32Array(this.size);
      for (let r = 1; r < this.size; r++) starts[r] = starts[r - 1]! + counts[r - 1]!;
      const all = new Uint8Array(receives ? starts.at(-1)! + counts.at(-1)! : 0);
      gather(part.subarray(from, from + counts[this.rank]!), all, counts, starts);
      // Parts that are shorter have come whole before.
      for (const [r, whole] of parts.entries()) {
        if (counts[r]! > 0) whole.set(all.subarray(starts[r]!, starts[r]! + counts[r]!), from);
      }
    }
    this.#bytes += part.length;
    return parts;
  }

  gatherAlike(part: Float64Array): Float64Array {
    this.#bytes += part.byteLength;
    const all = new Float64Array(this.size * part.length);
    const counts = new Int32Array(this.size).fill(part.byteLength);
    this.#mpi.allgather(
      bytesOf(part),
      bytesOf(all),
      counts,
      Int32Array.from(counts, (count, r) => r * count),
    );
    return all;
  }

  broadcast(bytes: Uint8Array): void {
    this.#bytes += this.rank === 0 ? bytes.length : 0;
    if (bytes.length > 0) this.#mpi.broadcast(bytes);
  }

  barrier(): void {
    this.#mpi.barrier();
  }

  async meet(): Promise<void> {
    const met = this.#mpi.beginBarrier();
    // Messages go on when they are asked for: soon at first, as others may be there already.
    for (let pause = 0; !met(); pause = Math.min(pause + 1, LONGEST_PAUSE_MS)) await wait(pause);
  }

  async unlessAsked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<{ done: T } | { asked: number[] }> {
    this.#signal = signal;
    try {
      // Work may gather nothing for long.
      this.gather(new Uint8Array(0));
      return { done: await work() };
    } catch (error) {
      if (!(error instanceof AskedToEnd)) throw error;
      return { asked: error.asked };
    } finally {
      this.#signal = undefined;
    }
  }

  abort(code: number): void {
    this.#mpi.abort(code);
  }

  close(): void {
    this.#mpi.finalize();
  }
}
