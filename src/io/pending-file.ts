/**
 * A file that is being written beside its target, under a name that nobody can guess, and takes its place in the end.
 * Through a symbolic link the file it points to is replaced; a pipe or a device (/dev/stdout, /dev/null) is written to,
 * never replaced.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isProcess, thisProcess } from './process-exists.js';
import { isLeftAside, isOld, recoverSets, setAside } from './set-aside.js';
import { removedOnSignal } from './temporary-files.js';
import { unwritable } from './unwritable.js';

/** The name of a temporary file: that of its target, the process, its start and chance. */
const TEMPORARY = /^(.*)\.(\d+)\.([0-9a-f]{8})\.[0-9a-f]{12}\.tmp$/s;
/** Names have at most 255 bytes on most systems; what follows the target's takes up to 37. */
const STEM_BYTES = 210;
/** Another host may write here: a file that was touched just now is left alone, whatever its process. */
const ABANDONED_MS = 60_000;

/** The target whose temporary file has this name; undefined for other files. A long name is cut. */
export function targetOfTemporary(name: string): string | undefined {
  return TEMPORARY.exec(name)?.[1];
}

export class PendingFile {
  readonly target: string;
  /** Where to write: a file that is there and empty, or the pipe or device itself. */
  readonly path: string;
  /** The file to become; undefined for a pipe or a device. */
  readonly place: string | undefined;
  /** Where the file that is replaced is in the meantime. */
  #aside: string | undefined;

  /** Makes the temporary file. */
  constructor(target: string) {
    this.target = target;
    try {
      this.place = placeOf(target);
      this.path = this.place === undefined ? target : temporaryName(this.place);
      if (this.place !== undefined) make(this.path, this.place);
    } catch (error) {
      throw unwritable(target, error);
    }
  }

  /**
   * Takes the file that is to be replaced out of the way, as one of a set; `rename` puts the new one there, `putBack`
   * the old one.
   */
  setAside(set: string): void {
    const { place } = this;
    if (place === undefined) return;
    try {
      this.#aside = setAside(place, stemOf(place), set);
    } catch (error) {
      throw unwritable(this.target, error);
    }
  }

  /** As it was before `setAside` and `rename`. */
  putBack(): void {
    const aside = this.#aside;
    if (aside === undefined) return;
    if (isOld(aside)) renameSync(aside, this.place!);
    else {
      if (!removedOnSignal.has(this.path)) rmSync(this.place!);
      rmSync(aside);
    }
    this.#aside = undefined;
  }

  /** Puts the file into place, with the mode and the owner of the file that it replaces. */
  rename(): void {
    if (this.place === undefined) return;
    try {
      const old = this.#aside !== undefined && isOld(this.#aside) ? this.#aside : this.place;
      const before = statSync(old, { throwIfNoEntry: false });
      if (before?.isFile()) keepRights(this.path, before);
      renameSync(this.path, this.place);
    } catch (error) {
      throw unwritable(this.target, error);
    }
    removedOnSignal.delete(this.path);
  }

  /** Takes the temporary file away, unless it has become the target, and the one that was replaced. */
  clear(): void {
    if (this.place === undefined) return;
    try {
      if (this.#aside !== undefined) rmSync(this.#aside, { force: true });
      if (removedOnSignal.has(this.path)) rmSync(this.path, { force: true });
    } catch {} // a failure here would hide why writing failed
    removedOnSignal.delete(this.path);
  }
}

/** The file that a target's name stands for, links followed; undefined for a pipe or a device. */
function placeOf(target: string): string | undefined {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found !== undefined) return found.isFile() || found.isDirectory() ? realpathSync(target) : undefined;
  const link = lstatSync(target, { throwIfNoEntry: false });
  // A link to a file that is not there yet.
  return link === undefined ? target : placeOf(resolve(dirname(target), readlinkSync(target)));
}

function temporaryName(place: string): string {
  const { pid, started } = thisProcess();
  const chance = randomBytes(6).toString('hex');
  return join(dirname(place), `${stemOf(place)}.${pid}.${started}.${chance}.tmp`);
}

function stemOf(place: string): string {
  const name = basename(place);
  const bytes = Buffer.from(name);
  return bytes.length <= STEM_BYTES ? name : bytes.toString('utf8', 0, STEM_BYTES).replace(/\ufffd+$/, '');
}

/** Puts back what a process that was killed while it wrote these very files has left beside them. */
export function putBackKilled(files: readonly PendingFile[]): void {
  // A name that was cut does not say whose it was.
  const places = files.flatMap(({ place }) =>
    place !== undefined && stemOf(place) === basename(place) ? [place] : [],
  );
  for (const folder of new Set(places.map(place => dirname(place)))) {
    const names = places.filter(place => dirname(place) === folder).map(place => basename(place));
    try {
      recoverSets(folder, new Set(names));
    } catch {} // what cannot be put back stays beside it
  }
}

function make(path: string, place: string): void {
  clearAbandoned(place);
  // What replaces a file that others may not read is not theirs to read while it is written either.
  const replaces = statSync(place, { throwIfNoEntry: false })?.isFile() || isLeftAside(dirname(place), basename(place));
  closeSync(openSync(path, 'wx', replaces ? 0o600 : 0o666));
  removedOnSignal.add(path);
}

/** Those of the file that one takes the place of. */
export function keepRights(path: string, { mode, uid, gid }: Stats): void {
  const made = statSync(path);
  if (made.uid !== uid || made.gid !== gid) {
    try {
      chownSync(path, uid, gid);
    } catch {} // only root may give files away: others own what they write
  }
  chmodSync(path, mode & 0o7777);
}

/**
 * Takes away temporary files for this target whose process was killed; nothing depends on it. Who holds a lock on the
 * folder is `alone`: all are of processes that are gone.
 */
export function clearAbandoned(place: string, alone = false): void {
  try {
    const folder = dirname(place);
    const stem = stemOf(place);
    for (const name of readdirSync(folder)) {
      const [, target, pid, started] = TEMPORARY.exec(name) ?? [];
      if (target !== stem) continue;
      const path = join(folder, name);
      const untouched = Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
      const abandoned = untouched && !isProcess({ pid: Number(pid), started: started! });
      if (alone || abandoned) rmSync(path);
    }
  } catch {}
}
