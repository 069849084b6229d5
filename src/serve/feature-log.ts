/**
 * Logs what was ranked: a JSON line a document with its features, its place, the model and the time, in files that
 * `train` reads as they are; as Parquet, a file is JSON lines under a hidden name until it is full. Serving never waits
 * for it: what the disk does not take is counted as lost, and said once.
 */
import { constants } from 'node:fs';
import { access, type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writtenNames } from '../data/readers/tables/roles.js';
import { shortestFloat32 } from '../data/writers/shortest-float.js';
import { makeFolder, syncFolder } from '../io/durable.js';
import { Lock } from '../io/lock.js';
import { clearAbandoned, targetOfTemporary } from '../io/pending-file.js';
import { unwritable } from '../io/unwritable.js';
import { hash32, hashText } from '../numeric/random.js';
import { LogDescription } from './log-description.js';
import type { Metrics } from './metrics.js';
import type { LogOptions, ServeOptions } from './options.js';
import { columnsOf, LOG_COLUMNS, parquetIsThere, toParquet } from './parquet-log.js';
import type { RankRequest } from './request.js';
import { keyOf, type ServedModel } from './served-models.js';

/** Texts that wait for the disk may have so many characters; then documents are lost. */
const MOST_WAITING = 1 << 25;
const FILE = /^ranked-[\d-]+T[\d-]+Z-\d+\.(jsonl|parquet)$/;

interface Waiting {
  readonly text: string;
  readonly documents: number;
  readonly served: ServedModel;
}

interface LogFile {
  readonly path: string;
  readonly handle: FileHandle;
  size: number;
  /** Types of its columns by name. */
  readonly columns: Map<string, string>;
}

/** What a log needs is there, before models are read: a folder that can be written to, and what writes Parquet. */
export async function roomForLog({ directory, format }: LogOptions): Promise<void> {
  if (format === 'parquet') await parquetIsThere();
  makeFolder(directory);
  try {
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(directory, error);
  }
  // Of a server that was killed.
  for (const name of await readdir(directory)) {
    const target = targetOfTemporary(name);
    if (target !== undefined && FILE.test(target)) clearAbandoned(join(directory, target));
  }
}

export class FeatureLog {
  readonly #directory: string;
  readonly #share: number;
  readonly #bytes: number;
  readonly #files: number;
  readonly #asParquet: boolean;
  readonly #metrics: Metrics;
  readonly #note: ServeOptions['note'];
  readonly #keys = new WeakMap<ServedModel, readonly string[]>();
  #waiting: Waiting[] = [];
  #characters = 0;
  #file: LogFile | undefined;
  /** Names of files that wait to be made Parquet. */
  readonly #unconverted = new Set<string>();
  /** The last file that is made Parquet, or was. */
  #converting: Promise<void> = Promise.resolve();
  #opened = 0;
  #failing = false;
  #writing: Promise<void> | undefined;
  readonly #description: LogDescription;
  readonly #lock: Lock | undefined;

  /** Files that a server has left which was killed are made Parquet first, where no other one has that folder. */
  static async open(options: LogOptions, metrics: Metrics, note?: ServeOptions['note']): Promise<FeatureLog> {
    const { directory, format } = options;
    const description = await LogDescription.in(directory);
    const what = 'another server logs';
    // A server that was killed with its container keeps no other from starting: files have names of their own.
    const lock = format === 'parquet' ? await Lock.takeBeside(join(directory, '.writer'), what) : undefined;
    const log = new FeatureLog(options, metrics, note, description, lock);
    if (lock?.beside !== undefined) {
      const kept = 'files that it left unfinished are not made Parquet';
      note?.(`another server may log to ${basename(directory)}, too, so ${kept} ${lock.beside} in .writer`);
    } else if (lock !== undefined) {
      const left = (await readdir(directory)).filter(file => file.startsWith('.') && FILE.test(file.slice(1))).sort();
      for (const file of left.filter(name => name.endsWith('jsonl'))) log.#convert(join(directory, file));
    }
    return log;
  }

  private constructor(
    { directory, share = 1, bytes = 100e6, files = 10, format = 'jsonl' }: LogOptions,
    metrics: Metrics,
    note: ServeOptions['note'],
    description: LogDescription,
    lock: Lock | undefined,
  ) {
    this.#description = description;
    this.#lock = lock;
    this.#directory = directory;
    this.#share = share;
    this.#bytes = bytes;
    this.#files = files;
    this.#asParquet = format === 'parquet';
    this.#metrics = metrics;
    this.#note = note;
  }

  /** `scores` are by document, undefined where there are none; `ranked` are documents in the order of the answer. */
  add(request: RankRequest, scores: Float64Array | undefined, ranked: readonly number[]): void {
    const { id, head } = request;
    if (this.#share < 1 && hash32(hashText(head.key ?? head.query ?? id), 7) / 2 ** 32 >= this.#share) return;
    if (ranked.length === 0) return;
    if (this.#characters > MOST_WAITING) {
      this.#lose(ranked.length, 'more is ranked than the disk takes');
      return;
    }
    const text = this.#lines(request, scores, ranked);
    this.#waiting.push({ text, documents: ranked.length, served: request.served });
    this.#characters += text.length;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  #lines(
    { id, head, served, documents, rows, unknownLevels }: RankRequest,
    scores: Float64Array | undefined,
    ranked: readonly number[],
  ): string {
    const { featureNames, model } = served.ranker;
    const width = featureNames.length;
    let keys = this.#keys.get(served);
    if (keys === undefined) {
      keys = featureNames.map(name => `,${JSON.stringify(name)}:`);
      this.#keys.set(served, keys);
    }
    const { query, document, label, position } = writtenNames;
    const start = `{"${query}":${textOf(id)},"${document}":`;
    const asked = `,"served_query":${head.query === undefined ? 'null' : textOf(head.query)}`;
    const middle = `${asked},"served_model":${JSON.stringify(`${keyOf(served)} ${served.digest}`)},"served_at":"${new Date().toISOString()}"`;
    let text = '';
    for (const [place, i] of ranked.entries()) {
      const beside = documents[i]!;
      text += `${start}${textOf(String(beside.id))},"${position}":${place + 1}${middle}`;
      text += `,"served_score":${scores === undefined ? 'null' : scores[i]}`;
      text += `,"${label}":${beside.label ?? null}`;
      for (let f = 0; f < width; f++) {
        const value = rows[i * width + f]!;
        text += keys[f];
        if (served.plain[f]) text += valueText(value);
        else {
          const levels = model.description?.categories[featureNames[f]!];
          const level = unknownLevels.get(i * width + f) ?? (levels ? levels[value] : dateText(value));
          text += level === undefined ? 'null' : textOf(level);
        }
      }
      text += '}\n';
    }
    return text;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#characters = 0;
      // What would make a file too long is written request by request.
      const long = batch.reduce((sum, { text }) => sum + text.length, 0) > this.#bytes;
      for (const part of long ? batch.map(one => [one]) : [batch]) await this.#writeTogether(part);
    }
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    const documents = batch.reduce((sum, waiting) => sum + waiting.documents, 0);
    try {
      await this.#append(
        Buffer.from(batch.map(({ text }) => text).join('')),
        new Set(batch.map(({ served }) => served)),
      );
      this.#metrics.logged.add({ result: 'written' }, documents);
      if (this.#failing) this.#note?.('the feature log is written again');
      this.#failing = false;
    } catch (error) {
      this.#lose(documents, (error as Error).message);
    }
  }

  async #append(bytes: Buffer, models: ReadonlySet<ServedModel>): Promise<void> {
    if (this.#file !== undefined && (await isDeleted(this.#file))) {
      await this.#file.handle.close();
      this.#file = undefined;
    }
    if (this.#file !== undefined && this.#file.size + bytes.length > this.#bytes && this.#file.size > 0) {
      await this.#finish(this.#file);
      this.#file = undefined;
    }
    this.#file ??= await this.#next();
    const { handle, size, columns } = this.#file;
    await this.#description.add([...models]);
    for (const served of models) {
      const { ranker, plain } = served;
      // A number for one model may be a level for another.
      for (const [f, name] of ranker.featureNames.entries())
        columns.set(name, plain[f] ? (columns.get(name) ?? 'FLOAT') : 'VARCHAR');
    }
    try {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
      this.#file.size += bytes.length;
    } catch (error) {
      await handle.truncate(size).catch(() => {}); // no half line
      throw error;
    }
  }

  /** Closes a file; requests are logged on while it is made Parquet. */
  async #finish({ path, handle, columns }: LogFile): Promise<void> {
    try {
      await handle.sync();
      syncFolder(this.#directory);
    } catch (error) {
      this.#note?.(`${basename(path)} of the feature log may not outlast a power cut: ${(error as Error).message}`);
    }
    await handle.close();
    if (this.#asParquet) this.#convert(path, columns);
  }

  /** Columns of a file that another server wrote are looked for in it. */
  #convert(path: string, columns?: ReadonlyMap<string, string>): void {
    const target = join(
      this.#directory,
      basename(path)
        .slice(1)
        .replace(/jsonl$/, 'parquet'),
    );
    this.#unconverted.add(basename(path));
    this.#converting = this.#converting
      .then(async () => toParquet(path, target, columns ?? (await columnsOf(path))))
      .catch(error =>
        this.#note?.(`${basename(path)} of the feature log stays as JSON lines: ${(error as Error).message}`),
      )
      .then(() => {
        this.#unconverted.delete(basename(path));
        return this.#prune();
      })
      .catch(() => {}); // a folder that is gone: said when the next file is written
  }

  async #next(): Promise<LogFile> {
    await this.#description.stay();
    const { path, handle } = await this.#create();
    await this.#prune();
    return { path, handle, size: 0, columns: new Map(Object.entries(LOG_COLUMNS)) };
  }

  /** A new file; another server may begin one in the same millisecond. */
  async #create(): Promise<{ path: string; handle: FileHandle }> {
    const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
    for (;;) {
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
      const name = `${this.#asParquet ? '.' : ''}ranked-${stamp}-${this.#opened++}.jsonl`;
      const path = join(this.#directory, name);
      try {
        return { path, handle: await open(path, O_APPEND | O_CREAT | O_EXCL | O_WRONLY, 0o640) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  /** Deletes files beyond those that are kept, the oldest first. */
  async #prune(): Promise<void> {
    const stamp = (file: string) => file.replace(/^\./, '');
    const isInUse = (file: string) =>
      this.#unconverted.has(file) || (this.#file !== undefined && file === basename(this.#file.path));
    // Hidden ones, too, that could not be made Parquet.
    const logs = (await readdir(this.#directory)).filter(file => FILE.test(stamp(file)) && !isInUse(file));
    logs.sort((a, b) => (stamp(a) < stamp(b) ? -1 : 1));
    for (const old of logs.slice(0, -this.#files)) await unlink(join(this.#directory, old)).catch(() => {});
  }

  #lose(documents: number, why: string): void {
    this.#metrics.logged.add({ result: 'lost' }, documents);
    const lost = `the feature log cannot be written, requests are served on: ${why}`;
    if (!this.#failing) this.#note?.(lost, 'log-lost');
    this.#failing = true;
  }

  async close(): Promise<void> {
    await this.#writing;
    if (this.#file !== undefined) {
      await this.#finish(this.#file);
      await this.#description.stay().catch(() => {}); // what it said before is there, or was said to be lost
    }
    await this.#converting;
    this.#lock?.release();
  }
}

/** By hand, or by another server of the folder that keeps no more files: what is written on there is lost. */
async function isDeleted({ handle }: LogFile): Promise<boolean> {
  return (await handle.stat()).nlink === 0;
}

/** A day, in the hours that a 32-bit number tells apart. */
function dateText(days: number): string | undefined {
  const date = new Date(days * 86_400_000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A text that readers of UTF-8 take: half a pair of surrogates is none. */
function textOf(text: string): string {
  return JSON.stringify(Buffer.from(text).toString());
}

function valueText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isNaN(value) ? 'null' : shortestFloat32(value);
}
