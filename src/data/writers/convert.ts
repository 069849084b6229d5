/** From one data file to another format, whole or split by query. */
import { ListwiseError, quote } from '../../errors.js';
import { readDataset } from '../read/read.js';
import type { ReadOptions } from '../readers/reader.js';
import { splitByQuery } from '../split.js';
import { chooseWriter, writeDatasets } from './write.js';
import type { WriteOptions } from './writer.js';

export interface ConvertOptions {
  readonly read: ReadOptions;
  readonly write: WriteOptions;
  /** Shares of a split by query. */
  readonly split?: readonly number[] | undefined;
  readonly seed: number;
  /** Called with how many rows of how many have been written. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

/** The files written, side files included, and the number of documents in them. */
export interface Conversion {
  readonly files: readonly string[];
  readonly documents: number;
}

export async function convertData(source: string, target: string, options: ConvertOptions): Promise<Conversion> {
  chooseWriter(target, options.write); // a format that cannot be written should not be found out after a long read
  const data = await readDataset(source, options.read);
  const { split, seed } = options;
  const outputs =
    split === undefined
      ? [{ data, target }]
      : splitByQuery(data, split, seed).map((part, p) => ({ data: part, target: partName(target, p, split.length) }));
  let done = 0;
  const progress = (rows: number) => options.progress?.((done += rows), data.rows);
  return { files: await writeDatasets(outputs, { ...options.write, progress }), documents: data.rows };
}

const PART_NAMES: Readonly<Record<number, readonly string[]>> = {
  2: ['train', 'test'],
  3: ['train', 'validate', 'test'],
};

/** `data.csv.gz` becomes `data.train.csv.gz`, and so on; parts of other splits are numbered from 1. */
export function partName(target: string, part: number, parts: number): string {
  const name = PART_NAMES[parts]?.[part] ?? `part${part + 1}`;
  const end = /(\.[A-Za-z0-9]+)?(\.gz)?$/.exec(target)!;
  return `${target.slice(0, end.index)}.${name}${end[0]}`;
}

/** `0.6,0.2,0.2` as numbers; that they sum to 1 is the split's to check. */
export function parseShares(text: string): number[] {
  const shares = text.split(',').map(part => (part.trim() === '' ? Number.NaN : Number(part)));
  if (shares.length >= 2 && shares.every(share => share > 0 && share < 1)) return shares;
  throw new ListwiseError(
    'option-invalid',
    `a split is two or more shares above 0 that sum to 1, such as 0.6,0.2,0.2; found ${quote(text)}`,
  );
}
