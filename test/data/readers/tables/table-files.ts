/** Files to read for the tests of tables, and what is said of those that are refused. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { ListwiseError } from '#listwise/errors.js';
import { temporaryDirectory } from '../../../temporary.js';

export const directory = temporaryDirectory();
let files = 0;

/** Writes a file of its own and gives its path. */
export function file(name: string, content: string | Uint8Array): string {
  const home = join(directory, String(files++));
  mkdirSync(home);
  writeFileSync(join(home, name), content);
  return join(home, name);
}

/** The error of reading; `at` is LINE:COLUMN, as far as they are given. */
export async function failure(
  data: string,
  options: ReadOptions = {},
): Promise<{ code: string; message: string; at?: string }> {
  const error = await readDataset(data, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ListwiseError)) throw new Error(`no coded error: ${String(error)}`);
  const { line, column } = error.place;
  const at = [line, column].filter(part => part !== undefined).join(':');
  return { code: error.code, message: error.message, ...(at === '' ? {} : { at }) };
}
