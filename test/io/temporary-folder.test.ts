/** Temporary folders: nobody else's to look into, and not left behind by a process that was killed. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { thisProcess, whereabouts } from '#listwise/io/process-exists.js';

/** As in a process that has just begun. */
async function fresh(): Promise<typeof import('#listwise/io/temporary-folder.js')> {
  vi.resetModules();
  return import('#listwise/io/temporary-folder.js');
}

it('those of processes that are gone go with the first that is made', async () => {
  const { pid, started } = thisProcess();
  const { space } = whereabouts();
  const named = (...words: (string | number)[]) => join(tmpdir(), ['listwise', ...words, 'abcdef'].join('-'));
  const gone = named(2 ** 22 + 1, started, space);
  const kept = [named(pid, started, space), named(2 ** 22 + 1, started, '00000000'), named('demo')];
  for (const folder of [gone, ...kept]) mkdirSync(folder);
  const { makeTemporaryFolder, removeFolder } = await fresh();
  const own = makeTemporaryFolder();
  expect(existsSync(gone)).toBe(process.getuid === undefined);
  expect(kept.filter(folder => !existsSync(folder))).toEqual([]);
  for (const folder of [own, gone, ...kept]) removeFolder(folder);
});

it('are for this user alone, under another name each time', async () => {
  const { makeTemporaryFolder, removeFolder } = await fresh();
  const folders = [makeTemporaryFolder(), makeTemporaryFolder()];
  expect(new Set(folders.map(folder => basename(folder))).size).toBe(2);
  if (process.platform !== 'win32') for (const folder of folders) expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const folder of folders) removeFolder(folder);
  expect(folders.filter(existsSync)).toEqual([]);
});
