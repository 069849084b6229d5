/** An output that is also an input would be gone before it is known whether anything came of the command. */
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { startsAsDescription } from '../../data/description.js';
import { ListwiseError } from '../../errors.js';
import { dataBeside, matching } from '../../io/inputs.js';
import type { Arguments } from './argument.js';
import type { Options } from './option.js';
import type { Sorted } from './words.js';

/** Refuses to write or take away a file that another word of the command line names, or that is read with one. */
export async function refuseOverInput(
  declared: { readonly arguments: Arguments; readonly options: Options },
  args: Readonly<Record<string, unknown>>,
  given: Sorted['given'],
): Promise<void> {
  const words = await wordsOf(declared, args, given);
  if (words.every(({ writes }) => !writes)) return;
  const used = await Promise.all(
    words.map(async one => ({ ...one, files: (one.writes ? one.paths : await withNamed(one.paths)).map(markOf) })),
  );
  for (const output of used) {
    const [path] = output.paths;
    if (!output.writes || path === undefined) continue;
    // What is taken away may be written anew.
    const others = used.filter(other => other.key !== output.key && !(output.clears && other.writes) && !other.clears);
    const refuseIn = (paths: readonly string[], why: string) => {
      const own = paths.map(markOf);
      if (!others.some(({ files }) => files.some(file => own.includes(file)))) return;
      throw new ListwiseError('file-unwritable', why, { file: output.word });
    };
    const [doing, other] = output.clears ? ['takes it away or writes over it', 'folder'] : ['writes it twice', 'one'];
    refuseIn([path], `the command reads this file, ${output.clears ? 'and' : 'or'} ${doing}; name another ${other}`);
    // If not now, then the next time.
    refuseIn(
      dataBeside(realNameOf(path)),
      'data that the command reads is read with a file of this name; name another one',
    );
  }
}

/** What a word names, or is written with it. */
interface Named {
  readonly key: string;
  readonly word: string;
  readonly paths: readonly string[];
  readonly writes: boolean;
  /** Nothing but taken away. */
  readonly clears: boolean;
}

async function wordsOf(
  declared: { readonly arguments: Arguments; readonly options: Options },
  args: Readonly<Record<string, unknown>>,
  given: Sorted['given'],
): Promise<Named[]> {
  const all = [
    ...Object.entries(args).map(([key, value]) => {
      const { writes, alsoWrites } = declared.arguments[key] ?? {};
      return { key: `<${key}>`, value, writes, alsoWrites, reads: !writes };
    }),
    ...Object.entries(declared.options).map(([key, option]) => ({ ...option, key, value: given.get(key) ?? [] })),
  ];
  const named = all.map(async ({ key, value, writes = false, alsoWrites, reads }) => {
    const words = [value].flat().filter(word => typeof word === 'string');
    const also = (await alsoWrites?.(words.at(-1), given)) ?? [];
    return [
      ...words.map(word => {
        const paths = pathsOf(word, reads);
        return { key, word, paths: paths.length === 0 && writes ? [word] : paths, writes, clears: false };
      }),
      ...also.map(path => ({ key, word: path, paths: [path], writes: true, clears: !writes })),
    ];
  });
  return (await Promise.all(named)).flat();
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
