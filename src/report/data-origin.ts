/** What a page says of the data that it is about. */
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import type { DataOrigin } from './document.js';

/** Data under the name it was read by. */
export interface NamedData {
  readonly file: string;
  readonly data: Dataset;
}

export function dataOrigin({ file, data }: NamedData): DataOrigin {
  return { file, fingerprint: fingerprint(data), queries: data.queries, documents: data.rows, features: data.features };
}
