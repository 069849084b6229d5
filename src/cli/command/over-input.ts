/** An output that is also an input would be gone before it is known whether anything came of the command. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ListwiseError } from '../../errors.js';
import { matching } from '../../io/inputs.js';
import type { Arguments } from './argument.js';
import type { Options } from './option.js';
import type { Sorted } from './words.js';

/** Refuses to write a file that any other word of the command line names. */
export function refuseOverInput(
  declared: { readonly arguments: Arguments; readonly options: Options },
  args: Readonly<Record<string, unknown>>,
  given: Sorted['given'],
): void {
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
      const found = typeof word === 'string' ? filesOf(word, reads) : [];
      return { word, files: found.length === 0 && writes ? [placeOf(String(word))] : found, writes };
    }),
  );
  for (const output of words) {
    const [file] = output.files;
    if (!output.writes || file === undefined) continue;
    const same = words.find(other => other !== output && other.files.includes(file));
    if (same === undefined) continue;
    throw new ListwiseError('file-unwritable', 'the command reads this file, or writes it twice; name another one', {
      file: String(output.word),
    });
  }
}

/** Of a file that is not there yet. */
function placeOf(path: string): string {
  const folder = dirname(path);
  try {
    return join(realpathSync(folder), basename(path));
  } catch {
    return resolve(path); // nor is its folder
  }
}

/** What tells files from all others, by whatever name; of a directory or a pattern to be read, all files. */
function filesOf(word: string, reads = false): string[] {
  // NAME=FILE is a file with a name to show.
  for (const path of [word, word.slice(word.indexOf('=') + 1)]) {
    try {
      const found = statSync(path, { bigint: true });
      if (found.isFile()) return [`${found.dev} ${found.ino}`];
      if (reads && found.isDirectory()) return readdirSync(path).flatMap(name => filesOf(join(path, name)));
    } catch {} // no file
  }
  return reads ? matching(word).flatMap(path => filesOf(path)) : [];
}
