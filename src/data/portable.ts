/**
 * A data set as a message to another thread, the only way that one crosses: arrays are shared where their memory is,
 * the rest is copied. What only reports and files need of it stays.
 */
import { Dataset, type DatasetParts } from './dataset.js';
import { StringTable } from './string-table.js';

export interface PortableDataset {
  readonly parts: Omit<DatasetParts, 'documentIds' | 'extras' | 'description'>;
  readonly documentIds: { readonly bytes: Uint8Array; readonly ends: Uint32Array } | undefined;
}

export interface PortableOptions {
  /** Whether the thread reads feature values (default: yes). */
  readonly features?: boolean;
}

export function toPortable(data: Dataset, { features = true }: PortableOptions = {}): PortableDataset {
  const { documentIds, blocks, extras: _extras, description: _description, ...parts } = data;
  return { parts: { ...parts, blocks: features ? blocks : [] }, documentIds: documentIds?.memory };
}

export function fromPortable({ parts, documentIds }: PortableDataset): Dataset {
  return new Dataset({ ...parts, documentIds: documentIds && new StringTable(documentIds.bytes, documentIds.ends) });
}
