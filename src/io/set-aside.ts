/**
 * Files that belong together and are out of the way while new ones take their place, or marks where there was none.
 * Who is killed meanwhile leaves them beside their targets. The next who writes the same files puts them back first,
 * unless all new ones are in place: files of one set are never some old and some new, and the old ones are not lost.
 */
import { closeSync, existsSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.js';
import { isOwn, isProcess, sight, thisProcess } from './process-exists.js';

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
  readonly name: string;
  readonly set: string;
  /** Whether there is a file of this name. */
  readonly isThere: boolean;
}

/**
 * Puts back what processes that were killed have left out of the way of these names in a folder. Nothing else is
 * touched: in a folder where others may write, names that look like ours show nothing.
 */
export function recoverSets(folder: string, names: ReadonlySet<string>): void {
  const found = ownIn(folder);
  const sets = new Set(found.filter(({ name }) => names.has(name)).map(({ set }) => set));
  for (const set of sets) {
    const all = found.filter(one => one.set === set);
    const isWhole = all.every(({ isThere }) => isThere);
    recover(
      all.filter(({ name }) => names.has(name)),
      isWhole,
    );
  }
  if (sets.size > 0) syncFolder(folder);
}

/** Whether a file of this name was left out of the way, as far as can be seen. */
export function isLeftAside(folder: string, name: string): boolean {
  try {
    return ownIn(folder).some(found => found.name === name && isOld(found.aside));
  } catch {
    return false; // a folder that one may write to and not look into
  }
}

/** Those of processes that are gone, of this user. */
function ownIn(folder: string): Found[] {
  return readdirSync(folder).flatMap(file => {
    const [, name, pid, started, by, set] = ASIDE.exec(file) ?? [];
    if (set === undefined) return [];
    const aside = join(folder, file);
    const seen = lstatSync(aside, { throwIfNoEntry: false });
    // Others can give a file of ours a second name.
    if (!seen?.isFile() || seen.nlink !== 1 || !isOwn(seen)) return [];
    const isLongAgo = Date.now() - seen.ctimeMs > ABANDONED_MS;
    const isGone = by === sight() ? !isProcess({ pid: Number(pid), started: started! }) : isLongAgo;
    return isGone ? [{ aside, name: name!, set, isThere: existsSync(join(folder, name!)) }] : [];
  });
}

/** Who is killed in this leaves what can be gone on with: one whose target is missing is the last to be put back. */
function recover(set: readonly Found[], isWhole: boolean): void {
  const order = ({ aside, isThere }: Found) => (isOld(aside) ? Number(!isThere) : -1);
  for (const { aside, name } of set.toSorted((a, b) => order(a) - order(b))) {
    const target = join(dirname(aside), name);
    if (!isWhole && isOld(aside)) renameSync(aside, target);
    else {
      if (!isWhole) rmSync(target, { force: true });
      rmSync(aside, { force: true });
    }
  }
}
