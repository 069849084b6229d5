/** Which files of a folder are a run's: nothing else is taken away or written over. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { Lock } from '../io/lock.js';
import { targetOfTemporary } from '../io/pending-file.js';
import { CHECKPOINTS, KEPT_FILES, type KeptFile, RUN_FILES, type RunFile, runPath } from './layout.js';
import type { RunRecord } from './run-record.js';

/** What somebody else has put there under a name of ours is neither taken away nor written over. */
export function refuseOthers(
  directory: string,
  { files = [...KEPT_FILES] }: RunRecord,
  kept: readonly KeptFile[],
): void {
  const others = kept.filter(file => !files.includes(file)).map(file => RUN_FILES[file]);
  if (others.length === 0) return;
  throw new ListwiseError(
    'run-exists',
    `the run in this folder did not make ${others.join(', ')}; take that away, or name another folder`,
    { file: directory },
  );
}

/** Of the folder of checkpoints only what is ours, and the folder where it is empty then. */
export async function remove(directory: string, file: RunFile): Promise<void> {
  const path = runPath(directory, file);
  if (file === 'checkpoint') await removeCheckpoints(path);
  else await rm(path, { force: true });
}

async function removeCheckpoints(folder: string): Promise<void> {
  if (!isFolder(folder)) return;
  // What a process that is gone has locked is free with that.
  (await Lock.take(folder, 'a run that goes on keeps its checkpoints here')).release();
  for (const name of await readdir(folder)) {
    if (isRefit(name)) await removeCheckpoints(join(folder, name));
    else if (isCheckpoint(name)) await rm(join(folder, name));
  }
  await rmdir(folder).catch(() => {}); // it holds what is not ours
}

/** A folder of checkpoints with nothing but what others have put there is not one. */
export function isThere(path: string, file: KeptFile): boolean {
  if (file !== 'checkpoint' || !isFolder(path)) return existsSync(path);
  const names = readdirSync(path);
  return names.length === 0 || names.some(name => isRefit(name) || isCheckpoint(name));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isRefit(name: string): boolean {
  return /^refit(-\d+)?$/.test(name);
}

function isCheckpoint(name: string): boolean {
  return Object.values<string>(CHECKPOINTS).includes(targetOfTemporary(name) ?? name);
}

/** Half-written files of a process that was killed. */
export async function removeLeftovers(directory: string): Promise<void> {
  const names = Object.values<string>(RUN_FILES);
  for (const entry of await readdir(directory).catch(() => [])) {
    const target = targetOfTemporary(entry);
    if (target !== undefined && names.includes(target)) await rm(join(directory, entry), { force: true });
  }
}
