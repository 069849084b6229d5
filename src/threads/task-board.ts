/**
 * Numbered tasks shared out among threads through words in shared memory. A round is `count` tasks of one kind, dealt
 * into as many ranges as there are threads; whoever moves a range's ticket on by compare-and-exchange has taken its
 * next task. A thread takes those of its own range first and then helps the others: in rounds of tasks about the same
 * data it finds most of it in the cache of its own processor. The upper half of tickets changes with every round, so a
 * thread that wakes up late cannot take a task of one round with what it read of another.
 *
 * Waiting spins first, since rounds are short, and then blocks. Only JavaScript's Atomics.wait is used: Node 20
 * miscompiles WebAssembly's own (corrupt locals).
 */
import type { Steps } from '../steps.js';
import { failureMessage, readFailure, writeFailure } from './failure.js';

/** Changes with every round. */
const ROUND = 0;
const COUNT = 1;
const KIND = 2;
/** The number of the round's first task. */
const FIRST = 3;
const FAILED = 4;
const STOP = 5;
/** Threads that sleep until a round begins, or until one ends: to wake up nobody takes longer than a short task. */
const SLEEPERS = 6;
const WAITERS = 7;
/** Words of two cache lines, which processors fetch together: what threads write by turns is this far apart. */
const APART = 32;
const DONE = APART;
/** The first ticket: one a range. */
const TICKETS = 2 * APART;

const ticketOf = (range: number) => TICKETS + APART * range;
const rangesOf = (control: Int32Array) => (control.length - TICKETS) / APART;

/** The most tasks of a round. */
const CLOSED = 0xffff;
/** A tenth of a millisecond or so: threads that work on a round end within that of each other. */
const SPINS = 20_000;
/**
 * Half a millisecond or so, for the next round: the caller does something by itself between rounds, and to wake up a
 * thread that sleeps took a millisecond and more on a virtual machine. Longer would be at the cost of those at work
 * where there are more threads than processors.
 */
const IDLE_SPINS = 80_000;

export interface TaskBoard {
  readonly control: Int32Array;
  readonly message: Uint8Array;
}

/** Does task number `task` of the kind; every thread has one that does the same. */
export type TaskRunner = (kind: number, task: number) => void;

/** The same in steps. */
export type StepRunner = (kind: number, task: number) => Steps<void>;

export function createTaskBoard(threads = 1): TaskBoard {
  const control = new Int32Array(new SharedArrayBuffer(4 * ticketOf(threads)));
  for (let range = 0; range < threads; range++) control[ticketOf(range)] = CLOSED;
  return { control, message: failureMessage() };
}

/**
 * Opens a round of tasks `begin` to `count`, or several of very many tasks, works on it with all threads of the board,
 * and waits for the end.
 */
export function playTasks(board: TaskBoard, run: TaskRunner, kind: number, count: number, begin = 0): void {
  if (count - begin <= 1) {
    if (count > begin) run(kind, begin);
    return;
  }
  for (let first = begin; first < count; first += CLOSED) {
    const tasks = Math.min(CLOSED, count - first);
    openRound(board, kind, tasks, first);
    takeTasks(board, run, 0);
    while (!awaitTasks(board, tasks));
  }
}

/** How long a caller with events to let through waits for the others at a time. */
const WAIT_MS = 20;

/**
 * As `playTasks` for long tasks, step by step: the caller's own tasks come in steps, and so does waiting for the
 * others. The share reported is that of tasks done. Steps that are not taken to the end leave the board in disorder:
 * the threads can only be ended then.
 */
export function taskSteps(board: TaskBoard, run: StepRunner, kind: number, count: number, begin = 0): Steps<void> {
  return count === 1 ? run(kind, 0) : sharedSteps(board, run, kind, count, begin);
}

function* sharedSteps(board: TaskBoard, run: StepRunner, kind: number, count: number, begin: number): Steps<void> {
  for (let first = begin; first < count; first += CLOSED) {
    const tasks = Math.min(CLOSED, count - first);
    openRound(board, kind, tasks, first);
    const share = () => (first + Atomics.load(board.control, DONE)) / count;
    for (let task = takeTask(board, 0); task !== undefined; task = takeTask(board, 0)) {
      try {
        for (const _ of run(kind, task.number)) yield share();
      } catch (error) {
        fail(board, error);
      }
      endTask(board);
    }
    while (!awaitTasks(board, tasks, WAIT_MS)) yield share();
  }
}

/** Waits some time for the tasks that others work on; whether all are done. */
function awaitTasks({ control, message }: TaskBoard, count: number, ms = 100): boolean {
  for (let spins = 0; ; spins++) {
    const done = Atomics.load(control, DONE);
    if (done >= count) break;
    if (spins <= SPINS) continue;
    sleep(control, WAITERS, DONE, done, ms);
    if (Atomics.load(control, STOP) !== 0) break;
    if (Atomics.load(control, DONE) < count) return false;
  }
  if (Atomics.load(control, FAILED) !== 0) throw readFailure(message);
  return true;
}

function openRound({ control }: TaskBoard, kind: number, count: number, first: number): void {
  const round = (Atomics.load(control, ROUND) + 1) & 0xffff;
  const ranges = rangesOf(control);
  for (let range = 0; range < ranges; range++) Atomics.store(control, ticketOf(range), CLOSED);
  Atomics.store(control, COUNT, count);
  Atomics.store(control, KIND, kind);
  Atomics.store(control, FIRST, first);
  Atomics.store(control, DONE, 0);
  for (let range = 0; range < ranges; range++) Atomics.store(control, ticketOf(range), round << 16);
  Atomics.store(control, ROUND, round);
  wake(control, SLEEPERS, ROUND);
}

/** Sleeps while a word is what it was; who changes it sees that somebody does, or he sees the change. */
function sleep(control: Int32Array, sleepers: number, word: number, seen: number, ms: number): void {
  Atomics.add(control, sleepers, 1);
  Atomics.wait(control, word, seen, ms);
  Atomics.sub(control, sleepers, 1);
}

function wake(control: Int32Array, sleepers: number, word: number): void {
  if (Atomics.load(control, sleepers) > 0) Atomics.notify(control, word);
}

/** Takes tasks of the open round until none is left. */
function takeTasks(board: TaskBoard, run: TaskRunner, thread: number): void {
  for (let task = takeTask(board, thread); task !== undefined; task = takeTask(board, thread)) {
    try {
      run(task.kind, task.number);
    } catch (error) {
      fail(board, error);
    }
    endTask(board);
  }
}

/** The next task of the open round for a thread, if there is one. */
function takeTask({ control }: TaskBoard, thread: number): { kind: number; number: number } | undefined {
  const ranges = rangesOf(control);
  for (let i = 0; i < ranges; i++) {
    const range = (thread + i) % ranges;
    for (;;) {
      const ticket = Atomics.load(control, ticketOf(range));
      const count = Atomics.load(control, COUNT);
      const start = Math.floor((range * count) / ranges);
      const taken = ticket & 0xffff;
      if (start + taken >= Math.floor(((range + 1) * count) / ranges)) break;
      const kind = Atomics.load(control, KIND);
      const number = Atomics.load(control, FIRST) + start + taken;
      if (Atomics.compareExchange(control, ticketOf(range), ticket, ticket + 1) === ticket) return { kind, number };
    }
  }
  return undefined;
}

/** Only the last task of a round wakes up who waits for it. */
function endTask({ control }: TaskBoard): void {
  const count = Atomics.load(control, COUNT);
  if (Atomics.add(control, DONE, 1) + 1 === count) wake(control, WAITERS, DONE);
}

function fail({ control, message }: TaskBoard, error: unknown): void {
  if (Atomics.compareExchange(control, FAILED, 0, 1) === 0) writeFailure(message, error);
}

/** A worker's life: tasks as they come, until the board is stopped. Threads count from the caller's, 0. */
export function serveTasks(board: TaskBoard, run: TaskRunner, thread: number): void {
  const { control } = board;
  while (Atomics.load(control, STOP) === 0) {
    const seen = Atomics.load(control, ROUND);
    takeTasks(board, run, thread);
    let spins = 0;
    while (Atomics.load(control, ROUND) === seen && spins < IDLE_SPINS) spins++;
    if (spins === IDLE_SPINS && Atomics.load(control, STOP) === 0) sleep(control, SLEEPERS, ROUND, seen, 1000);
  }
}

/** The threads serve the board no more: whoever still waits for a task of theirs is given the error. */
export function stopTasks(board: TaskBoard, error: Error): void {
  fail(board, error);
  Atomics.store(board.control, STOP, 1);
  Atomics.notify(board.control, ROUND);
}
