/** A scoring thread: reads the model once, then works on every round it is given. */
import type { Service } from '../threads/crew.js';
import { parseModel } from './model-file.js';
import { type ScoringRound, scorePiece } from './scoring-threads.js';

export function serve(text: string): Service<ScoringRound> {
  const model = parseModel(text);
  return {
    answer(round) {
      while (scorePiece(model, round));
    },
  };
}
