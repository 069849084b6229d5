/** Ids in addresses: names of files and folders, so that an address means the same whatever else is named beside. */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';

export interface Identified {
  readonly id: string;
  /** The id where another of the same name is here, too. */
  readonly longId: string;
  readonly path: string;
  /** Whether no other has its name. */
  readonly alone: boolean;
}

const DIGITS = 6;

/** Each once, whichever way its path is written. */
export function identified(paths: readonly string[]): Identified[] {
  const found = [...new Map(paths.map(path => [resolve(path), path]))].map(([whole, path]) => ({
    path,
    name: basename(whole),
    longId: `${basename(whole)}~${createHash('sha256').update(whole).digest('hex').slice(0, DIGITS)}`,
  }));
  return found.map(({ path, name, longId }) => {
    // The root of all folders has no name.
    const alone = name !== '' && found.filter(other => other.name === name).length === 1;
    return { id: alone ? name : longId, longId, path, alone };
  });
}

/** An address of when another of the same name was here stays what it was. */
export function withId<T extends Pick<Identified, 'id' | 'longId'>>(all: readonly T[], id: string): T | undefined {
  return all.find(one => one.id === id) ?? all.find(one => one.longId === id);
}
