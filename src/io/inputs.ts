/** What DATA may be: a file, a directory, a glob or `-` for stdin, plain or .gz. Gives inputs that readers open. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { ListwiseError } from '../errors.js';
import { targetOfTemporary } from './pending-file.js';
import { standardInput } from './standard-input.js';
import { unchanging } from './unchanging.js';
import { unreadable } from './unreadable.js';

/**
 * One stream of bytes, already decompressed.
 *
 * @example
 * import { type Input, memoryInput, readInputs } from 'listwise/data';
 *
 * const input: Input = memoryInput('rows.csv', new TextEncoder().encode('qid,label,x\n1,1,0.5\n'));
 * const data = await readInputs([input]);
 */
export interface Input {
  /** As it appears in messages. */
  readonly name: string;
  /** The file on disk; absent for what can be read once only (stdin, a pipe by any name) and for bytes in memory. */
  readonly path?: string;
  readonly gzip: boolean;
  /** Size on disk, for progress; absent where unknown. */
  readonly size?: number;
  /** Called with the bytes as they are taken, by readers that do not go through `open`; see `followed`. */
  readonly taken?: Taken;
  open(taken?: Taken): AsyncIterable<Uint8Array>;
}

/** Bytes of the input as it is stored: compressed ones where it is. */
type Taken = (bytes: number) => void;

/** Called with how many bytes of how many have been taken; the total is undefined where a size is not known. */
export type ReadProgress = (done: number, total: number | undefined) => void;

/** Inputs that tell how far they are read, all together; `passes` is how often each is gone over. */
export function followed(inputs: readonly Input[], progress: ReadProgress | undefined, passes = 1): readonly Input[] {
  if (progress === undefined) return inputs;
  const bytes = inputs.reduce((sum, { size = Number.NaN }) => sum + size, 0);
  const total = bytes > 0 ? passes * bytes : undefined; // a pipe has no size, or one of 0
  let done = 0;
  const taken: Taken = more => progress((done += more), total);
  return inputs.map(input => ({ ...input, taken, open: () => input.open(taken) }));
}

/** Files beside the data that are read with it (see side-files.ts). */
export const SIDE_EXTENSIONS = ['query', 'group', 'weight', 'init', 'position'] as const;

/** What a directory listing or a pattern leaves out: those, and the click labels that `generate --clicks` writes. */
const SIDES = [...SIDE_EXTENSIONS, 'clicks'];
const SIDE_FILE = new RegExp(`\\.(${SIDES.join('|')})(\\.gz)?$`);

/** The names of what may be written beside data. */
export function sideFilesOf(path: string): string[] {
  return SIDES.map(extension => `${path}.${extension}`);
}

/** The names of data that a file, by its own name, would be read with. */
export function dataBeside(path: string): string[] {
  const [end] = SIDE_FILE.exec(path) ?? [];
  const base = end === undefined ? undefined : path.slice(0, -end.length);
  return base === undefined ? [] : [base, `${base}.gz`];
}

export async function resolveInputs(data: string): Promise<Input[]> {
  if (data === '-')
    return [{ name: 'stdin', gzip: false, open: taken => decompressed(standardInput(), 'stdin', taken) }];
  const found = await stat(data).catch(() => undefined);
  if (found?.isDirectory()) {
    const entries = await readdir(data, { withFileTypes: true });
    const isData = (name: string) =>
      !name.startsWith('.') && !SIDE_FILE.test(name) && targetOfTemporary(name) === undefined;
    const names = entries.filter(entry => entry.isFile() && isData(entry.name));
    if (names.length === 0) throw new ListwiseError('data-empty', 'the directory holds no data files', { file: data });
    return Promise.all(
      names
        .map(entry => join(data, entry.name))
        .sort(byCodeUnit)
        .map(fileInput),
    );
  }
  if (found !== undefined) return [await fileInput(data)];
  if (isDynamicPattern(data)) {
    const paths = matching(data).filter(path => !SIDE_FILE.test(path));
    if (paths.length > 0) return Promise.all(paths.sort(byCodeUnit).map(fileInput));
    throw new ListwiseError('file-not-found', 'no file matches this pattern', { file: data });
  }
  throw new ListwiseError('file-not-found', 'no such file or directory', { file: data });
}

/** Files that a pattern stands for; none where it is no pattern. */
export function matching(data: string): string[] {
  if (!isDynamicPattern(data)) return [];
  const pattern = data.replaceAll(sep, '/'); // to a pattern, the backslash of Windows is an escape
  return globSync(pattern, { onlyFiles: true, expandDirectories: false });
}

/** As `resolveInputs`, for what must be one file. */
export async function resolveInput(file: string): Promise<Input> {
  const inputs = await resolveInputs(file);
  if (inputs.length === 1) return inputs[0]!;
  throw new ListwiseError('file-unreadable', `${inputs.length} files where one is due`, { file });
}

/** Order that does not depend on the machine's language. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * A file to read; one that ends in .gz is uncompressed on the way.
 *
 * @example
 * import { fileInput } from 'listwise/data';
 *
 * const input = await fileInput('train.txt.gz');
 */
export async function fileInput(path: string): Promise<Input> {
  const found = await stat(path).catch(error => {
    throw unreadable(path, error);
  });
  const file = !found.isFIFO() && !found.isSocket() && !found.isCharacterDevice();
  return {
    name: path,
    ...(file && { path }),
    gzip: path.endsWith('.gz'),
    size: found.size,
    open: taken => fromFile(path, taken),
  };
}

async function* fromFile(path: string, taken?: Taken): AsyncIterable<Uint8Array> {
  const refuseChanged = await unchanging(path);
  yield* decompressed(createReadStream(path, { highWaterMark: 1 << 20 }), path, taken);
  await refuseChanged();
}

/**
 * Bytes in memory as an input, in chunks of any size; for tests and for data that is already at hand.
 *
 * @example
 * import { memoryInput, readInputs } from 'listwise/data';
 *
 * const data = await readInputs([memoryInput('rows.txt', new TextEncoder().encode('1 qid:1 1:0.5\n'))]);
 */
export function memoryInput(name: string, bytes: Uint8Array, chunk = bytes.length || 1): Input {
  return {
    name,
    gzip: false,
    size: bytes.length,
    async *open(taken) {
      for (let at = 0; at < bytes.length; at += chunk) {
        taken?.(Math.min(chunk, bytes.length - at));
        yield bytes.subarray(at, at + chunk);
      }
    },
  };
}

/** The stream's bytes, gunzipped where they start with gzip's magic number; closed when the reader stops early. */
async function* decompressed(stream: Readable, name: string, taken?: Taken): AsyncIterable<Uint8Array> {
  try {
    yield* maybeGunzipped(stream, name, taken);
  } finally {
    stream.destroy(); // an open stdin would keep the process alive after a mistake on its first line
  }
}

async function* maybeGunzipped(stream: Readable, name: string, taken?: Taken): AsyncIterable<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const next = async () => {
    try {
      const chunk = await chunks.next();
      if (!chunk.done) taken?.(chunk.value.length);
      return chunk;
    } catch (error) {
      throw unreadable(name, error);
    }
  };
  let first = await next();
  // Two bytes tell; a pipe may hand over a single one first.
  while (!first.done && first.value.length < 2) {
    const more = await next();
    if (more.done) break;
    first = { done: false, value: Buffer.concat([first.value, more.value]) };
  }
  if (first.done) return;
  async function* all(): AsyncIterable<Uint8Array> {
    for (let chunk = first; !chunk.done; chunk = await next()) yield chunk.value;
  }
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  const feed = (async () => {
    for await (const chunk of all()) {
      if (!gunzip.write(chunk)) await new Promise<void>(resume => gunzip.once('drain', resume));
    }
    gunzip.end();
  })();
  feed.catch(error => gunzip.destroy(error));
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof ListwiseError) throw error;
    throw new ListwiseError('gzip-broken', `the gzip stream is truncated or damaged (${(error as Error).message})`, {
      file: name,
    });
  }
}
