/** A boosting thread: makes objective and measures from their strings and serves the board. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dataset } from '../../data/dataset.js';
import { parseMeasure } from '../../measures/parse.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import { serveTasks } from '../../threads/task-board.js';
import { TreeTasks } from './tasks/tree-tasks.js';
import type { TreeWorkerJob } from './tree-threads.js';

const { board, objective, measures, modules, data, seen, validation, ...job } = workerData as TreeWorkerJob;
const library = await loadLibrary(modules);
const tasks = new TreeTasks({
  ...job,
  data: new Dataset(data),
  seen: new Dataset(seen),
  validation: validation && new Dataset(validation),
  objective: parseObjective(objective, library),
  measures: measures.map(spec => parseMeasure(spec, { more: library.measures })),
});
parentPort?.postMessage('ready');
serveTasks(board, tasks.run);
