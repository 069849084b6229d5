/** An output that is also an input would be gone before it is known whether anything came of the command. */
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { startsAsDescription } from '../../data/description.js';
import { ListwiseError } from '../../errors.js';
import { dataBeside, matching } from '../../io/inputs.js';
import type { Arguments } from './argument.js';
import type { Options } from './option.js';
import type { Sorted } from './words.js';

/** Refuses to write a file that any other word of the command line names, or that is read with one. */
export async function refuseOverInput(
  declared: { readonly arguments: Arguments; readonly options: Options },
  args: Readonly<Record<string, unknown>>,
  given: Sorted['given'],
): Promise<void> {
  const words = [
    ...Object.entries(args).map(([key, value]) => {
      const writes = declared.arguments[key]?.writes;
      return { value, writes, reads: !writes };
    }),
    ...Array.from(given, ([key, value]) => {
      const { writes, reads } = declared.options[key] ?? {};
      return { value, writes, reads };
    }),
  ].flatMap(({ value, writes, reads }) =>
    [value].flat().map(word => {
      const paths = typeof word === 'string' ? pathsOf(word, reads) : [];
      return { word: String(word), paths: paths.length === 0 && writes ? [String(word)] : paths, writes };
    }),
  );
  if (words.every(({ writes }) => !writes)) return;
  const used = await Promise.all(
    words.map(async one => ({ ...one, files: (one.writes ? one.paths : await withNamed(one.paths)).map(markOf) })),
  );
  for (const output of used) {
    const [path] = output.paths;
    if (!output.writes || path === undefined) continue;
    const others = used.filter(other => other !== output);
    const refuseIn = (paths: readonly string[], why: string) => {
      const own = paths.map(markOf);
      if (!others.some(({ files }) => files.some(file => own.includes(file)))) return;
      throw new ListwiseError('file-unwritable', `${why}; name another one`, { file: output.word });
    };
    refuseIn([path], 'the command reads this file, or writes it twice');
    // If not now, then the next time.
    refuseIn(dataBeside(realNameOf(path)), 'data that the command reads is read with a file of this name');
  }
}

/** With what a description of data names. */
async function withNamed(paths: readonly string[]): Promise<string[]> {
  const named = await Promise.all(
    paths.map(async path => {
      const { data = [], judgments = [] } = (await descriptionOf(path)) ?? {};
      return [data, judgments].flat().flatMap(name => pathsOf(name, true));
    }),
  );
  return [...paths, ...named.flat()];
}

async function descriptionOf(path: string) {
  if (!/\.json$/i.test(path) || !startsAsDescription(startOf(path))) return undefined;
  const { descriptionIn } = await import('../../data/description-schema.js');
  return descriptionIn(path).catch(() => undefined); // whoever reads it says what is wrong
}

function startOf(path: string): string {
  const bytes = Buffer.alloc(4096);
  try {
    const file = openSync(path, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return ''; // whoever reads it says so
  }
}

/** What tells a file from all others, by whatever name. */
function markOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true });
    return `${found.dev} ${found.ino}`;
  } catch {
    return realNameOf(path); // it is not there yet
  }
}

/** Links followed; of a file that is not there yet, those of its folder. */
function realNameOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {}
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return resolve(path); // nor is its folder
  }
}

/** The files that a word names; of a directory or a pattern to be read, all. */
function pathsOf(word: string, reads = false): string[] {
  // NAME=FILE is a file with a name to show.
  for (const path of [word, word.slice(word.indexOf('=') + 1)]) {
    try {
      const found = statSync(path);
      if (found.isFile()) return [path];
      if (reads && found.isDirectory()) return readdirSync(path).flatMap(name => pathsOf(join(path, name)));
    } catch {} // no file
  }
  return reads ? matching(word).flatMap(path => pathsOf(path)) : [];
}
