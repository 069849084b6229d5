/**
 * What modules of the user's are: what they hold and what the files and packages hold that they name, wherever they
 * are. Only the loader of a module knows for sure what is an import and only the module what it reads, so every name
 * that may be one is tried: what is no file is none.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Identity } from '../io/identity.js';
import { unreadable } from '../io/unreadable.js';

/** By a path or an address, whoever loads it: `import`, `require` by any name, a file that is read. */
const NAMED = /(['"`])((?:\.{1,2}\/|\/|file:)[^'"`\n]+)\1/g;
/** Beside `import.meta.url` any name is relative to the module. */
const BESIDE = /\bURL\(\s*(['"`])([^'"`\n]+)\1\s*,\s*import\.meta\.url/g;
/** What something is called with first may be a package, or a file in the working directory. */
const CALLED = /\(\s*(['"`])([^'"`\n]+)\1/g;
const IMPORTED = /\b(?:from|import)\s*(['"`])([^'"`\n]+)\1/g;
/** What follows a folder, as in `join(import.meta.dirname, 'data', 'weights.json')`: parts of a path. */
const FOLLOWING = /,\s*((?:(['"`])[^'"`\n]+\2\s*,?\s*)+)\)/g;
const TEXT = /(['"`])([^'"`\n]+)\1/g;
/** What stands for a package; the part of it that is imported may follow. */
const PACKAGE = /^(?:@[^/\\\s]+\/)?[^./\\\s:#@][^/\\\s:]*/;
/** What `require` puts behind a name. */
const ENDS = ['', '.js', '.cjs', '.mjs', '.json', '/index.js'];
const CODE = /\.(?:[cm]?js|wasm|node)$/;
/** What the system makes up as it is read is never the same. */
const MADE_UP = /^\/(?:dev|proc|sys)\//;
/** No code is longer: a larger file names nothing. */
const MOST_CODE = 1 << 26;

/** Of each module, and of each package that they use: `package NAME`. This package goes by its version. */
export async function moduleDigests(files: readonly string[]): Promise<Identity> {
  const modules: Record<string, string> = {};
  const packages = new Map<string, Map<string, string>>();
  for (const [i, file] of files.entries()) {
    const own: string[] = [];
    for (const [path, digest] of await allNamed(file)) {
      const [name, place] = packageOf(path);
      if (name === undefined) own.push(digest);
      else packages.set(name, (packages.get(name) ?? new Map()).set(place, digest));
    }
    modules[`module${i === 0 ? '' : ` ${i + 1}`}`] = joined(own);
  }
  const used = [...packages].map(([name, places]) => [`package ${name}`, joined([...places].flat())]);
  return { ...modules, ...Object.fromEntries(used) };
}

function joined(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}

/** The package that a file is of and its place in it, wherever that is installed; no name for other files. */
function packageOf(path: string): [string | undefined, string] {
  const folder = `${sep}node_modules${sep}`;
  const at = path.lastIndexOf(folder);
  const place = path.slice(at + folder.length).replaceAll('\\', '/');
  return [at < 0 ? undefined : PACKAGE.exec(place)?.[0], place];
}

/** A module and all files that it, and they in turn, name: a digest of each. */
async function allNamed(file: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const paths = new Set([resolve(file)]);
  const tried = new Set<string>();
  // What is added is gone over, too.
  for (const path of paths) {
    const read = await readNamed(path).catch(error => {
      if (found.size === 0) throw unreadable(file, error);
      return undefined; // a module that reads it fails
    });
    if (read === undefined) continue;
    found.set(path, read.digest);
    for (const candidate of read.named.filter(one => !tried.has(one))) {
      tried.add(candidate);
      if (isFile(candidate)) paths.add(candidate);
    }
  }
  return found;
}

async function readNamed(path: string): Promise<{ digest: string; named: string[] }> {
  const { size } = await stat(path);
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path)) {
    hash.update(piece);
    if (size <= MOST_CODE) pieces.push(piece);
  }
  return { digest: hash.digest('hex'), named: filesNamed(Buffer.concat(pieces).toString('utf8'), path) };
}

/** Files that code may mean. */
function filesNamed(code: string, by: string): string[] {
  const names = (form: RegExp) => [...new Set(Array.from(code.matchAll(form), ([, , name]) => name!))];
  const called = names(CALLED);
  return [
    ...[...names(NAMED), ...names(BESIDE)].flatMap(name => fromModule(name, by)),
    ...called.map(name => resolve(name)),
    ...Array.from(code.matchAll(FOLLOWING), ([, parts]) =>
      Array.from(parts!.matchAll(TEXT), ([, , part]) => part!),
    ).flatMap(parts => [resolve(dirname(by), ...parts), resolve(...parts)]),
    ...[...called, ...names(IMPORTED)].flatMap(name => packageFiles(name, by)),
  ];
}

/** As a path, and as an address, without what follows a question mark. */
function fromModule(name: string, by: string): string[] {
  const paths = [resolve(dirname(by), name)];
  try {
    paths.push(fileURLToPath(new URL(name, pathToFileURL(by))));
  } catch {} // no address
  return [...new Set(paths)].flatMap(path => ENDS.map(end => path + end));
}

/**
 * Of a package that is imported by its name: its `package.json` and all of its code. Which of it `import` takes is for
 * the rules of `exports` to say, with patterns and conditions, and most packages are small.
 */
function packageFiles(name: string, by: string): string[] {
  const [wanted] = name.startsWith('#') ? [''] : (PACKAGE.exec(name) ?? []);
  if (wanted === undefined || wanted === 'listwise' || isBuiltin(name)) return [];
  const folder = folderOf(wanted, dirname(by));
  if (folder === undefined) return [];
  const manifest = join(folder, 'package.json');
  if (wanted !== '') return [manifest, ...codeIn(folder)];
  try {
    return [manifest, createRequire(by).resolve(name)];
  } catch {
    return [manifest]; // not for `require`, or no part of the package
  }
}

/** Code in a folder, without packages installed there and what is hidden. */
function codeIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? codeIn(path) : CODE.test(entry.name) ? [path] : [];
  });
}

/** Where Node finds a package from here: the nearest `node_modules` that has it; of no name the one this is part of. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = name === '' ? at : join(at, 'node_modules', name);
    if (existsSync(name === '' ? join(folder, 'package.json') : folder)) return realpathSync(folder);
    if (at === dirname(at)) return undefined;
  }
}

function isFile(path: string): boolean {
  if (MADE_UP.test(path)) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // no name of a file
  }
}
