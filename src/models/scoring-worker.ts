/** A scoring thread: reads the model once, then works on every round it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseModel } from './model-file.js';
import { type ScoringRound, scorePiece } from './scoring-threads.js';

const model = parseModel(workerData as string);
parentPort!.on('message', (round: ScoringRound) => {
  while (scorePiece(model, round));
  parentPort!.postMessage('done');
});
parentPort!.postMessage('ready');
