/** A thread that scores parts of long lists with one model. */
import { parseModel } from '../models/model-file.js';
import type { Service } from '../threads/crew.js';
import type { ListPart } from './large-lists.js';

export function serve(bytes: Uint8Array): Service<ListPart> {
  const model = parseModel(bytes);
  return {
    answer({ rows, n, out }) {
      model.scoreRows(rows, n, out);
    },
  };
}
