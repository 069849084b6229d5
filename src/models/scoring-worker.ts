/** A scoring thread: reads the model once, then works on every round it is given. */
import type { Service } from '../threads/crew.js';
import { parseModel } from './model-file.js';
import { rowWorker } from './row-work.js';
import { type ScoringJob, type ScoringRound, workOnPiece } from './scoring-threads.js';

export function serve({ model, order }: ScoringJob): Service<ScoringRound> {
  const worker = rowWorker(parseModel(model), order);
  return {
    answer(round) {
      while (workOnPiece(worker, round));
    },
  };
}
