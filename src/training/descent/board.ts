/** Where the threads of descent find their slices of queries: numbered tasks, and what each of them is about. */
import { atOnce, type Steps } from '../../steps.js';
import type { TaskRunner } from '../../threads/task-board.js';
import type { TaskCrew } from '../../threads/task-crew.js';
import type { SliceRunner } from './slice-runner.js';

const FIRST = 0;
const ITERATION = 1;

export type Round = 'train' | 'evaluate';
const rounds: readonly Round[] = ['train', 'evaluate'];

export interface Board {
  /** The first slice of the round and the iteration; set between rounds. */
  readonly numbers: Int32Array;
  /** Training queries of all ranks in the order of the epoch. */
  readonly order: Uint32Array;
  /** Ends of the epoch's slices in `order`, and of the slices of evaluated queries. */
  readonly ends: Uint32Array;
  readonly evaluatedEnds: Uint32Array;
}

/** For training queries of all ranks. */
export function createBoard(queries: number, evaluatedEnds: readonly number[]): Board {
  const words = (length: number) => new Uint32Array(new SharedArrayBuffer(4 * length));
  const board = {
    numbers: new Int32Array(new SharedArrayBuffer(8)),
    order: words(queries),
    ends: words(queries),
    evaluatedEnds: words(evaluatedEnds.length),
  };
  board.evaluatedEnds.set(evaluatedEnds);
  return board;
}

/** Opens a round of `count` slices from `first` on and works on it with all threads, step by step. */
export function roundSteps(
  crew: TaskCrew,
  board: Board,
  runner: SliceRunner,
  round: Round,
  first: number,
  count: number,
): Steps<void> {
  Atomics.store(board.numbers, FIRST, first);
  return crew.steps((kind, slice) => sliceSteps(board, runner, rounds[kind]!, slice), rounds.indexOf(round), count);
}

function sliceSteps(board: Board, runner: SliceRunner, round: Round, slice: number): Steps<void> {
  const ends = round === 'train' ? board.ends : board.evaluatedEnds;
  const at = Atomics.load(board.numbers, FIRST) + slice;
  const from = at === 0 ? 0 : ends[at - 1]!;
  if (round === 'evaluate') return runner.evaluate(from, ends[at]!);
  runner.beginIteration(Atomics.load(board.numbers, ITERATION));
  return runner.train(board.order, from, ends[at]!, slice);
}

export function setIteration({ numbers }: Board, iteration: number): void {
  Atomics.store(numbers, ITERATION, iteration);
}

/** The slices of another thread. */
export function sliceTasks(board: Board, runner: SliceRunner): TaskRunner {
  return (kind, slice) => atOnce(sliceSteps(board, runner, rounds[kind]!, slice));
}
