/** An output that is also an input would be gone before it is known whether anything came of the command. */
import { statSync } from 'node:fs';
import { ListwiseError } from '../../errors.js';
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
    ...Object.entries(args).map(([key, value]) => ({ value, writes: declared.arguments[key]?.writes })),
    ...Array.from(given, ([key, value]) => ({ value, writes: declared.options[key]?.writes })),
  ].flatMap(({ value, writes }) => [value].flat().map(word => ({ word, file: fileOf(word), writes })));
  for (const output of words) {
    if (!output.writes || output.file === undefined) continue;
    const same = words.find(other => other !== output && other.file === output.file);
    if (same === undefined) continue;
    throw new ListwiseError('file-unwritable', 'the command reads this file, or writes it twice; name another one', {
      file: String(output.word),
    });
  }
}

/** What tells a file from all others, by whatever name; undefined for what is none. */
function fileOf(word: unknown): string | undefined {
  if (typeof word !== 'string') return undefined;
  // NAME=FILE is a file with a name to show.
  for (const path of [word, word.slice(word.indexOf('=') + 1)]) {
    try {
      const found = statSync(path, { bigint: true });
      if (found.isFile()) return `${found.dev} ${found.ino}`;
    } catch {} // no file
  }
  return undefined;
}
