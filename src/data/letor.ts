/**
 * Data that comes with its folds, as LETOR is handed out: a directory with five parts S1 to S5 that rotate, or with
 * folders Fold1 to Fold5 that hold training, validation and test files.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { unreadable } from '../io/unreadable.js';
import { concatenate, unifyFeatures } from './concatenate.js';
import type { Dataset } from './dataset.js';
import { type Fold, type FoldOptions, letorFolds } from './folds.js';
import { readDataset } from './read/read-dataset.js';
import type { ReadOptions } from './readers/reader.js';

const FOLDS = [1, 2, 3, 4, 5] as const;

/**
 * Data with its folds.
 *
 * @example
 * import { type FoldedData, readLetor } from 'listwise/data';
 *
 * const { folds }: FoldedData = await readLetor('MQ2008');
 * console.log(folds.length);
 */
export interface FoldedData {
  /** Every query that is tested on, in the order of the files: S1 to S5, or the test files of Fold1 to Fold5. */
  readonly data: Dataset;
  readonly folds: readonly Fold[];
}

/**
 * Reads the folds of a LETOR collection: a directory with Fold1 to Fold5, or with S1.txt to S5.txt.
 *
 * @example
 * import { readLetor } from 'listwise/data';
 *
 * const { data, folds } = await readLetor('MQ2008');
 */
export async function readLetor(
  directory: string,
  options: ReadOptions = {},
  shape: FoldOptions = {},
): Promise<FoldedData> {
  const names = await listing(directory);
  const absent = options.absent === 'missing' ? Number.NaN : 0;
  const parts = FOLDS.map(k => names.find(name => new RegExp(`^S${k}(\\.\\w+)*$`).test(name)));
  if (parts.every(name => name !== undefined)) {
    const read: Dataset[] = [];
    for (const name of parts) read.push(await readDataset(join(directory, name), options));
    const aligned = inputRowsInTurn(unifyFeatures(read, absent));
    return { data: concatenate(aligned), folds: letorFolds(aligned, shape) };
  }
  if (FOLDS.every(k => names.includes(`Fold${k}`))) {
    if (shape.validate !== undefined) {
      throw new ListwiseError(
        'option-invalid',
        'folders Fold1 to Fold5 say which queries train and which validate; only files S1 to S5 can be dealt out anew',
        { file: directory },
      );
    }
    const folds: Fold[] = [];
    for (const fold of FOLDS) folds.push(await readFold(join(directory, `Fold${fold}`), fold, options, absent));
    const tests = inputRowsInTurn(
      unifyFeatures(
        folds.map(({ test }) => test),
        absent,
      ),
    );
    return { data: concatenate(tests), folds: folds.map((fold, k) => ({ ...fold, test: tests[k]! })) };
  }
  throw new ListwiseError(
    'data-format',
    'LETOR’s folds are files S1 to S5 or folders Fold1 to Fold5 in one directory',
    { file: directory },
  );
}

async function readFold(directory: string, fold: number, options: ReadOptions, absent: number): Promise<Fold> {
  const names = await listing(directory);
  const read = async (kind: string) => {
    const name = names.find(candidate => new RegExp(`^${kind}\\w*(\\.\\w+)*$`, 'i').test(candidate));
    if (name !== undefined) return readDataset(join(directory, name), options);
    throw new ListwiseError('file-not-found', `no file named ${kind}… (a fold has train, vali and test)`, {
      file: directory,
    });
  };
  const sets = [await read('train'), await read('vali'), await read('test')];
  const [train, validate, test] = unifyFeatures(sets, absent) as [Dataset, Dataset, Dataset];
  return { fold, train, validate, test };
}

async function listing(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(error => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') {
      throw new ListwiseError('data-format', 'LETOR’s folds are in a directory, this is a file', { file: directory });
    }
    throw unreadable(directory, error, 'no such directory');
  });
  return names.sort();
}

/** Each part was read by itself and counts its rows from 0; together they count on, as if read as one. */
function inputRowsInTurn(parts: readonly Dataset[]): Dataset[] {
  let before = 0;
  return parts.map(part => {
    const inputRows = new Uint32Array(part.rows);
    for (let row = 0; row < part.rows; row++) inputRows[row] = before + (part.inputRows?.[row] ?? row);
    before += part.rows;
    return part.with({ inputRows });
  });
}
