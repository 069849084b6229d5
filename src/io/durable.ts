/** What a power cut must not take: contents, and the names under which folders hold them. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { unwritable } from './unwritable.js';

/** Systems and file systems that cannot sync a folder say one of these. */
const CANNOT = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR']);

/** The contents of a file are on disk when this is done. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names in a folder are on disk when this returns. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!CANNOT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Makes a folder, and those that it is in where they are missing; all are on disk when this returns. A failure is one
 * to write `target`. Not by Node's `recursive`, which tries forever where the system has no folder to make, as below
 * /proc.
 */
export function makeFolder(path: string, target = path): void {
  try {
    makeMissing(path);
  } catch (error) {
    throw unwritable(target, error);
  }
}

function makeMissing(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  // What is there may be no folder.
  if (missing.length === 0) missing.push(resolve(path));
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Others may have made it meanwhile.
      if (!isFolder(folder)) throw error;
      continue;
    }
    syncFolder(dirname(folder));
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
