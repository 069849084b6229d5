/** Folders for what is on disk only while a command goes on. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcess, thisProcess, whereabouts } from './process-exists.js';
import { removedOnSignal } from './temporary-files.js';
import { unwritable } from './unwritable.js';

/** The name of a temporary folder: the process, its start, the space of processes, and chance. */
const FOLDER = /^listwise-(\d+)-([0-9a-f]{8})-([0-9a-f]{8})-\w{6}$/;

let cleared = false;

/** Makes a folder that nobody else can guess or look into; to be taken away by `removeFolder`. */
export function makeTemporaryFolder(): string {
  if (!cleared) clearAbandoned();
  cleared = true;
  const { pid, started } = thisProcess();
  try {
    const folder = mkdtempSync(join(tmpdir(), `listwise-${pid}-${started}-${whereabouts().space}-`));
    removedOnSignal.add(folder);
    return folder;
  } catch (error) {
    throw unwritable(tmpdir(), error);
  }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  removedOnSignal.delete(folder);
}

/** Folders of processes that were killed; nothing depends on it. */
function clearAbandoned(): void {
  try {
    for (const name of readdirSync(tmpdir())) {
      const [, pid, started, space] = FOLDER.exec(name) ?? [];
      // Those of other containers have processes that cannot be looked for.
      if (space !== whereabouts().space || isProcess({ pid: Number(pid), started: started! })) continue;
      const folder = join(tmpdir(), name);
      if (lstatSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
    }
  } catch {}
}
