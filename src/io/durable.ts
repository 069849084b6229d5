/** What a power cut must not take: contents, and the names under which folders hold them. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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

/** Makes a folder, and those that it is in where they are missing; all are on disk when this returns. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = resolve(path); made !== above; made = dirname(made)) syncFolder(dirname(made));
}
