/** A thread that scores parts of long lists with one model. */
import { parseModel } from '../models/model-file.js';
import type { Service } from '../threads/crew.js';
import type { ListPart } from './large-lists.js';

export function serve(text: string): Service<ListPart> {
  const model = parseModel(text);
  return {
    answer({ rows, n, out }) {
      model.scoreRows(rows, n, out);
    },
  };
}
