/** A thread that judges altered models: makes model and measures from their texts and serves the board. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dataset, type DatasetParts } from '../../data/dataset.js';
import { StringTable } from '../../data/string-table.js';
import { parseMeasure } from '../../measures/parse.js';
import { loadMeasures } from '../../measures/plugin.js';
import { parseModel } from '../../models/model-file.js';
import { atOnce } from '../../steps.js';
import { serveTasks, type TaskBoard } from '../../threads/task-board.js';
import { type AlterationJob, AlterationRunner, alterationKinds } from './alteration-runner.js';

export interface AlterationWork {
  readonly model: string;
  readonly data: DatasetParts;
  /** A table of texts cannot be sent; given where ties need it. */
  readonly documentIds: readonly string[] | undefined;
  readonly measures: readonly string[];
  readonly modules: readonly string[];
  readonly job: AlterationJob;
  readonly board: TaskBoard;
}

const { model, data, documentIds, measures, modules, job, board } = workerData as AlterationWork;
const more = await loadMeasures(modules);
const runner = new AlterationRunner(
  parseModel(model).perturbation!(),
  new Dataset({ ...data, documentIds: documentIds && StringTable.from(documentIds) }),
  measures.map(spec => parseMeasure(spec, { more })),
  job,
);
parentPort!.postMessage('ready');
serveTasks(board, (kind, task) => atOnce(runner.run(alterationKinds[kind]!, task)));
