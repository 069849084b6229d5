/** A training thread: makes objective and measures from their strings and serves the board. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dataset, type DatasetParts } from '../../data/dataset.js';
import { parseMeasure } from '../../measures/parse.js';
import { parseObjective } from '../../objectives/parse.js';
import { type Board, serveBoard } from './board.js';
import { type RunnerJob, SliceRunner } from './slice-runner.js';

export interface WorkerJob {
  readonly memory: WebAssembly.Memory;
  readonly job: RunnerJob;
  readonly thread: number;
  readonly data: DatasetParts;
  readonly validate: DatasetParts | undefined;
  readonly objective: string;
  readonly measures: readonly string[];
  readonly board: Board;
}

const { memory, job, thread, data, validate, objective, measures, board } = workerData as WorkerJob;
const runner = new SliceRunner(
  memory,
  job,
  thread,
  new Dataset(data),
  validate && new Dataset(validate),
  parseObjective(objective),
  measures.map(spec => parseMeasure(spec)),
);
parentPort?.postMessage('ready');
serveBoard(board, runner);
