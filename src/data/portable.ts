/** A data set as a message to another thread: the arrays are shared where their memory is, the rest is copied. */
import { Dataset, type DatasetParts } from './dataset.js';
import { StringTable } from './string-table.js';

export interface PortableDataset {
  readonly parts: Omit<DatasetParts, 'documentIds'>;
  readonly documentIds: { readonly bytes: Uint8Array; readonly ends: Uint32Array } | undefined;
}

export function toPortable(data: Dataset): PortableDataset {
  const { documentIds, ...parts } = data;
  return { parts, documentIds: documentIds?.memory };
}

export function fromPortable({ parts, documentIds }: PortableDataset): Dataset {
  return new Dataset({ ...parts, documentIds: documentIds && new StringTable(documentIds.bytes, documentIds.ends) });
}
