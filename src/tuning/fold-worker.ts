/** A lane's thread: trains what it is told, one job at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { fromPortable } from '../data/portable.js';
import { failureMessage, writeFailure } from '../threads/failure.js';
import { type FoldJob, runFold } from './fold-job.js';
import type { LaneData, LaneOrder, LaneReport } from './fold-runner.js';

/** Progress is for people: more often would only cost. */
const REPORT_MS = 200;

const { folds, threads } = workerData as LaneData;
const own = folds.map(({ fold, train, validate, test }) => ({
  fold,
  train: fromPortable(train),
  validate: validate && fromPortable(validate),
  test: fromPortable(test),
}));
const tell = (report: LaneReport) => parentPort!.postMessage(report);
const ending = new AbortController();

parentPort!.on('message', (order: LaneOrder) => {
  if ('abort' in order) ending.abort();
  else void work(order.job);
});

async function work({ fold, configuration }: FoldJob): Promise<void> {
  let told = performance.now();
  const onProgress = (progress: number) => {
    if (performance.now() - told < REPORT_MS) return;
    told = performance.now();
    tell({ progress });
  };
  try {
    const note = (text: string) => tell({ note: text });
    tell({ outcome: await runFold(own[fold]!, configuration, { threads, signal: ending.signal, onProgress, note }) });
  } catch (error) {
    const failure = failureMessage();
    writeFailure(failure, error);
    tell({ failure });
  }
}
