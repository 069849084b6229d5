/** What a page says of the data that it is about. */
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { shareOf } from '../data/share.js';
import type { DataOrigin } from './document.js';

/** Data under the name it was read by. */
export interface NamedData {
  readonly file: string;
  readonly data: Dataset;
}

export function dataOrigin({ file, data }: NamedData): DataOrigin {
  const { queries, rows: documents } = shareOf(data);
  return { file, fingerprint: fingerprint(data), queries, documents, features: data.features };
}
