/**
 * Where threads find their slices: words in shared memory. A ticket word names the next free slice; whoever moves it on by
 * compare-and-exchange has taken that slice. Its upper half changes with every round, so a thread that wakes up late cannot
 * take a slice of a round with what it read of another.
 *
 * Waiting spins first, since rounds are short, and then blocks. Only JavaScript's Atomics.wait is used: Node 20 miscompiles
 * WebAssembly's own (corrupt locals).
 */
import { failureMessage, readFailure, writeFailure } from '../../threads/failure.js';
import type { SliceRunner } from './slice-runner.js';

const TICKET = 0;
const COUNT = 1;
const KIND = 2;
const FIRST = 3;
const DONE = 4;
const FAILED = 5;
const STOP = 6;
const ITERATION = 7;
const WORDS = 8;

const CLOSED = 0xffff;
const SPINS = 4000;

export type Round = 'train' | 'judge';
const rounds: readonly Round[] = ['train', 'judge'];

export interface Board {
  readonly control: Int32Array;
  readonly message: Uint8Array;
  /** Training queries in the order of the epoch. */
  readonly order: Uint32Array;
  /** Ends of the epoch's slices in `order`, and of the slices of judged queries. */
  readonly ends: Uint32Array;
  readonly judgedEnds: Uint32Array;
}

export function createBoard(queries: number, judged: number): Board {
  const words = (length: number) => new Uint32Array(new SharedArrayBuffer(4 * length));
  const control = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  control[TICKET] = CLOSED;
  return {
    control,
    message: failureMessage(),
    order: words(queries),
    ends: words(queries),
    judgedEnds: words(judged),
  };
}

/** Opens a round of `count` slices from `first` on, works on it with all threads, and comes back when it is done. */
export function playRound(board: Board, runner: SliceRunner, round: Round, first: number, count: number): void {
  const { control } = board;
  if (count === 1) {
    // Nothing to share.
    runSlice(board, runner, round, first, 0);
    return;
  }
  const closed = Atomics.load(control, TICKET) | CLOSED;
  Atomics.store(control, TICKET, closed);
  Atomics.store(control, COUNT, count);
  Atomics.store(control, KIND, rounds.indexOf(round));
  Atomics.store(control, FIRST, first);
  Atomics.store(control, DONE, 0);
  Atomics.store(control, TICKET, ((closed >>> 16) + 1) << 16);
  Atomics.notify(control, TICKET);
  takeSlices(board, runner);
  for (let spins = 0; ; spins++) {
    const done = Atomics.load(control, DONE);
    if (done >= count) break;
    if (spins > SPINS) Atomics.wait(control, DONE, done, 100);
  }
  if (Atomics.load(control, FAILED) !== 0) throw readFailure(board.message);
}

/** Takes slices of the open round until none is left. */
function takeSlices(board: Board, runner: SliceRunner): void {
  const { control } = board;
  for (;;) {
    const ticket = Atomics.load(control, TICKET);
    const slice = ticket & 0xffff;
    if (slice >= Atomics.load(control, COUNT)) return;
    const round = rounds[Atomics.load(control, KIND)]!;
    const first = Atomics.load(control, FIRST);
    if (Atomics.compareExchange(control, TICKET, ticket, ticket + 1) !== ticket) continue;
    try {
      runSlice(board, runner, round, first, slice);
    } catch (error) {
      fail(board, error);
    }
    Atomics.add(control, DONE, 1);
    Atomics.notify(control, DONE);
  }
}

function runSlice(board: Board, runner: SliceRunner, round: Round, first: number, slice: number): void {
  const ends = round === 'train' ? board.ends : board.judgedEnds;
  const at = first + slice;
  const from = at === 0 ? 0 : ends[at - 1]!;
  if (round === 'judge') runner.judge(from, ends[at]!);
  else {
    runner.beginIteration(Atomics.load(board.control, ITERATION));
    runner.train(board.order, from, ends[at]!, slice);
  }
}

function fail({ control, message }: Board, error: unknown): void {
  if (Atomics.compareExchange(control, FAILED, 0, 1) === 0) writeFailure(message, error);
}

export function setIteration({ control }: Board, iteration: number): void {
  Atomics.store(control, ITERATION, iteration);
}

/** A worker's life: slices as they come, until the board is stopped. */
export function serveBoard(board: Board, runner: SliceRunner): void {
  const { control } = board;
  while (Atomics.load(control, STOP) === 0) {
    takeSlices(board, runner);
    const seen = Atomics.load(control, TICKET);
    if ((seen & 0xffff) < Atomics.load(control, COUNT)) continue;
    let spins = 0;
    while (Atomics.load(control, TICKET) === seen && spins < SPINS) spins++;
    if (spins === SPINS && Atomics.load(control, STOP) === 0) Atomics.wait(control, TICKET, seen, 1000);
  }
}

export function stopBoard({ control }: Board): void {
  Atomics.store(control, STOP, 1);
  Atomics.notify(control, TICKET);
}
