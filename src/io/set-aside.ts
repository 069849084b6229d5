/**
 * Files that belong together and are out of the way while new ones take their place, or marks where there was none.
 * Who is killed meanwhile leaves them beside their targets. The next who writes there puts all of them back, unless all
 * new ones are in place: files of one set are never some old and some new, and the old ones are not lost.
 */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.js';
import { isProcess, sight, thisProcess } from './process-exists.js';

/** The target, the process and its start, who can see it, the set, and whether it is a file or the mark for none. */
const ASIDE = /^(.*)\.(\d+)\.([0-9a-f]{8})\.([0-9a-f]{8})\.([0-9a-f]{12})\.(old|none)$/s;
/** Where nobody can see the process, it has had the time to end. */
const ABANDONED_MS = 60_000;

/** Gives the name under which the file of `place` is now; `stem` begins it, `set` names the set. */
export function setAside(place: string, stem: string, set: string): string {
  const { pid, started } = thisProcess();
  const isThere = existsSync(place);
  const aside = join(dirname(place), `${stem}.${pid}.${started}.${sight()}.${set}.${isThere ? 'old' : 'none'}`);
  if (isThere) renameSync(place, aside);
  else closeSync(openSync(aside, 'wx'));
  return aside;
}

/** Whether a file of this name was one, and not the mark for none. */
export function isOld(aside: string): boolean {
  return aside.endsWith('.old');
}

interface Found {
  readonly aside: string;
  readonly target: string;
}

/** Puts back what processes that were killed have left out of the way in a folder. */
export function recoverSets(folder: string): void {
  const sets = new Map<string, Found[]>();
  for (const name of readdirSync(folder)) {
    const [, target, pid, started, by, set] = ASIDE.exec(name) ?? [];
    if (set === undefined) continue;
    const aside = join(folder, name);
    const isGone = by === sight() ? !isProcess({ pid: Number(pid), started: started! }) : isLongAgo(aside);
    if (isGone) sets.set(set, [...(sets.get(set) ?? []), { aside, target: join(folder, target!) }]);
  }
  for (const set of sets.values()) recover(set);
  if (sets.size > 0) syncFolder(folder);
}

function isLongAgo(path: string): boolean {
  return Date.now() - statSync(path).ctimeMs > ABANDONED_MS;
}

/** Who is killed in this leaves what can be gone on with: one whose target is missing is the last to be put back. */
function recover(set: readonly Found[]): void {
  const isWhole = set.every(({ target }) => existsSync(target));
  const order = ({ aside, target }: Found) => (isOld(aside) ? Number(!existsSync(target)) : -1);
  for (const { aside, target } of set.toSorted((a, b) => order(a) - order(b))) {
    if (!isWhole && isOld(aside)) renameSync(aside, target);
    else {
      if (!isWhole) rmSync(target, { force: true });
      rmSync(aside, { force: true });
    }
  }
}
