/** A thread that scores parts of long lists with one model, or says what features add to documents. */
import { createRanker } from '../models/create-ranker.js';
import { parseModel } from '../models/model-file.js';
import type { Service } from '../threads/crew.js';
import type { ListWork, Reasons } from './large-lists.js';

export function serve(bytes: Uint8Array): Service<ListWork, Reasons> {
  const model = parseModel(bytes);
  const ranker = createRanker(model);
  return {
    answer({ rows, n, ...asked }) {
      if ('why' in asked) return ranker.why(rows, n, asked.why).map(parts => JSON.stringify(parts));
      model.scoreRows(rows, n, asked.out);
      return undefined;
    },
  };
}
