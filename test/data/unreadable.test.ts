/** Files that cannot be read, and tables that are not what their name says, are refused in plain words. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { openModel } from '#listwise/interop/index.js';
import { Spool } from '#listwise/io/spool.js';
import { unreadable } from '#listwise/io/unreadable.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();

it.each([
  ['EACCES', 'secret.csv: cannot be read: permission denied'],
  ['EISDIR', 'secret.csv: cannot be read: it is a directory'],
  ['ELOOP', 'secret.csv: cannot be read: its links lead round in a circle'],
  ['ENAMETOOLONG', 'secret.csv: cannot be read: its name is too long'],
  ['EOTHER', 'secret.csv: cannot be read: EOTHER'],
  ['ENOENT', 'secret.csv: no such table'],
])('%s', (code, message) => {
  const error = Object.assign(new Error(code), { code, syscall: 'open' });
  expect(unreadable('secret.csv', error, 'no such table')).toMatchObject({ message });
});

it('gives other failures back as they are', () => {
  const error = new TypeError('a mistake of the program');
  expect(unreadable('x', error)).toBe(error);
});

it('names a table that has gone since it was listed', async () => {
  const input = { name: 'gone.csv', path: join(directory, 'gone.csv'), gzip: false, open: async function* () {} };
  await expect(new Spool().file(input)).rejects.toMatchObject({ code: 'file-not-found', place: { file: 'gone.csv' } });
});

it('says that a model is a directory', async () => {
  const path = join(directory, 'folder');
  await mkdir(path);
  await expect(openModel(path)).rejects.toThrow('cannot be read: it is a directory');
});

it.each([
  [
    'pipes.csv',
    'query|label|f\nq1|1|2\n',
    'the header has a single column, "query|label|f": is the table separated by "|"?',
  ],
  ['latin1.csv', 'query,label,caf\xe9\nq1,1,2\n', 'latin1.csv:1:16: byte 0xe9 is not part of UTF-8 text'],
  ['quoted.csv', 'query,label,"a\nb\xe9"\nq1,1,2\n', 'quoted.csv:2:2: byte 0xe9 is not part of UTF-8 text'],
])('%s', async (name, text, message) => {
  const file = join(directory, name);
  await writeFile(file, text, 'latin1');
  await expect(readDataset(file)).rejects.toThrow(message);
});
