/**
 * A crew of threads, and the one place that starts any. Each thread runs worker.ts, which imports a module and makes
 * its service from a job. A thread that fails to start, or ends by itself, ends the crew: all threads are terminated
 * and whoever waits is given the error, a coded one with its code and place.
 */
import { Worker } from 'node:worker_threads';
import { ListwiseError } from '../errors.js';
import { refuseThreads } from '../io/address-space.js';
import { type Failure, fromFailure } from './failure.js';
import { stopTasks, type TaskBoard, type TaskRunner } from './task-board.js';

/** What a thread does once it is up; the `serve` that a module exports makes it from a job. */
export interface Service<Request = never, Answer = unknown, Report = never> {
  /** Does the tasks of the crew's board. */
  readonly tasks?: TaskRunner;
  /** Answers requests, each as it comes. */
  answer?(request: Request, context: AnswerContext<Report>): Answer | Promise<Answer>;
}

export interface AnswerContext<Report> {
  /** Aborted when the crew's signal is. */
  readonly signal: AbortSignal;
  /** Says something before the answer. */
  report(report: Report): void;
}

export interface CrewOptions {
  /** Ends threads that are not up yet; those that are find it in the context of their requests. */
  readonly signal?: AbortSignal | undefined;
  readonly board?: TaskBoard | undefined;
  /** Whether the process may end while the threads are at work. */
  readonly background?: boolean;
  /** Megabytes for new objects of a thread, until those that are still used are looked for; V8's choice if absent. */
  readonly youngMegabytes?: number;
}

export interface ThreadData {
  readonly module: string;
  readonly job: unknown;
  readonly board: TaskBoard | undefined;
  /** Its number on the board; the calling thread's is 0. */
  readonly thread: number;
}

/** Messages to a thread, and from it. Requests have numbers. */
export type ToThread = { readonly id: number; readonly request: unknown } | { readonly abort: true };
export type FromThread =
  | { readonly ready: true }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly report: unknown }
  | { readonly id: number; readonly failure: Failure }
  /** It cannot start. */
  | { readonly failure: Failure };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  report(report: unknown): void;
}

export class Crew<Request = never, Answer = unknown, Report = never> {
  /** When every thread has said that it is up: its 'online' event is too early to block on. */
  readonly ready: Promise<void>;
  readonly #workers: Worker[] = [];
  readonly #options: CrewOptions;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #starting: number;
  #settle: Omit<Waiting, 'report'>;
  /** Why the threads are at work no more. */
  #ended: Error | undefined;
  #terminated: Promise<unknown> | undefined;

  /** One thread a job. */
  constructor(module: URL, jobs: readonly unknown[], options: CrewOptions = {}) {
    this.#options = options;
    this.#starting = jobs.length;
    const { promise, ...settle } = deferred<void>();
    this.#settle = settle;
    this.ready = promise;
    options.signal?.addEventListener('abort', this.#abort);
    try {
      if (options.signal?.aborted) this.#abort();
      else refuseThreads(jobs.length);
      if (this.#ended === undefined)
        for (const [i, job] of jobs.entries())
          this.#start({ module: module.href, job, board: options.board, thread: i + 1 });
    } catch (error) {
      this.#end(error as Error);
    }
    if (jobs.length === 0) settle.resolve();
  }

  get size(): number {
    return this.#workers.length;
  }

  /** Sends a request to a thread, also before it is up. */
  ask(thread: number, request: Request, report: (report: Report) => void = () => {}): Promise<Answer> {
    const { promise, ...settle } = deferred<Answer>();
    const id = this.#requests++;
    try {
      if (this.#ended !== undefined) throw this.#ended;
      this.#workers[thread]!.postMessage({ id, request } satisfies ToThread);
      this.#waiting.set(id, { ...settle, report });
    } catch (error) {
      settle.reject(error as Error);
    }
    return promise;
  }

  /** May be called more than once; what is still asked for is given up. */
  async close(): Promise<void> {
    this.#end(new Error('the threads were closed'));
    await this.#terminated;
  }

  #start(workerData: ThreadData): void {
    const { youngMegabytes } = this.#options;
    const resourceLimits = youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes };
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, resourceLimits });
    this.#workers.push(worker);
    if (this.#options.background) worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', error => this.#end(error));
    worker.on('messageerror', error => this.#end(error));
    worker.on('exit', code => this.#end(new Error(`a thread ended by itself with code ${code}`)));
  }

  #hear(message: FromThread): void {
    if ('ready' in message) {
      if (--this.#starting === 0) this.#settle.resolve(undefined);
    } else if ('id' in message) {
      const waiting = this.#waiting.get(message.id);
      if (!('report' in message)) this.#waiting.delete(message.id);
      if ('report' in message) waiting?.report(message.report);
      else if ('answer' in message) waiting?.resolve(message.answer);
      else waiting?.reject(fromFailure(message.failure));
    } else {
      this.#end(fromFailure(message.failure));
    }
  }

  readonly #abort = () => {
    for (const worker of this.#workers) worker.postMessage({ abort: true } satisfies ToThread);
    if (this.#starting > 0)
      this.#end(new ListwiseError('training-interrupted', 'interrupted before the threads were up'));
  };

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    const { signal, board } = this.#options;
    signal?.removeEventListener('abort', this.#abort);
    if (board !== undefined) stopTasks(board, error);
    const waiting = [this.#settle, ...this.#waiting.values()];
    this.#waiting.clear();
    this.#terminated = Promise.all(this.#workers.map(worker => worker.terminate())).then(() => {
      for (const { reject } of waiting) reject(error);
    });
  }
}

/** A promise that may be given up before it is settled: a rejection that nobody awaits is no failure. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
