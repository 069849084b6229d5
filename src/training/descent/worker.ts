/** A training thread: makes objective and measures from their strings and serves the board. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dataset, type DatasetParts } from '../../data/dataset.js';
import { parseMeasure } from '../../measures/parse.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import { type Board, serveBoard } from './board.js';
import { type RunnerJob, SliceRunner } from './slice-runner.js';

export interface WorkerJob {
  readonly memory: WebAssembly.Memory;
  readonly job: RunnerJob;
  readonly thread: number;
  readonly data: DatasetParts;
  readonly validate: DatasetParts | undefined;
  readonly modules: readonly string[];
  readonly objective: string;
  readonly measures: readonly string[];
  readonly board: Board;
}

const { memory, job, thread, data, validate, modules, objective, measures, board } = workerData as WorkerJob;
const library = await loadLibrary(modules);
const runner = new SliceRunner(
  memory,
  job,
  thread,
  new Dataset(data),
  validate && new Dataset(validate),
  parseObjective(objective, library),
  measures.map(spec => parseMeasure(spec, { more: library.measures })),
);
parentPort?.postMessage('ready');
serveBoard(board, runner);
