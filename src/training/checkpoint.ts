/**
 * Checkpoints: the state of a run in one file, written whole or not at all, so that a run that was ended goes on to the
 * same model. What the run is of, data and options, is kept with it: no run goes on with another's state.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { makeFolder } from '../io/durable.js';
import { fileBytes } from '../io/file-bytes.js';
import { differences, type Identity } from '../io/identity.js';
import { parseJsonBytes } from '../io/json-bytes.js';
import { jsonPieces } from '../io/json-pieces.js';
import { Lock } from '../io/lock.js';
import { clearAbandoned } from '../io/pending-file.js';
import { writeText } from '../io/whole-file.js';

/** 3 has a checksum, and says what it is of part by part; 4 has splits by category; 5 is of any size; 6 its length. */
const FORMAT = 'listwise/checkpoint/6';
/** How the text ends: a checksum over all before it. */
const END = /^,"checksum":"([0-9a-f]{64})"\}\n$/;
const END_BYTES = 80;
/** Numbers that go into one text. */
const MOST_FLOATS = 1 << 20;
export const CHECKPOINT_FILE = 'checkpoint.json';
/** A checkpoint of hundreds of megabytes takes seconds: a training spends at most a tenth of its time on them. */
const WORK_PER_SAVE = 9;

export class CheckpointStore {
  readonly #file: string;
  readonly #resume: boolean;
  readonly #everyMs: number;
  #lock: Lock | undefined;
  #written = Number.NEGATIVE_INFINITY;
  /** How long the last one took to write. */
  #tookMs = 0;

  /** `everyMs`: the least time between two checkpoints of one run; large ones are fewer. */
  constructor(directory: string, options: { resume?: boolean; everyMs?: number } = {}) {
    this.#file = join(directory, CHECKPOINT_FILE);
    this.#resume = options.resume ?? false;
    this.#everyMs = options.everyMs ?? 1000;
  }

  /**
   * The state to go on from; undefined where there is none or none is wanted. Nobody else writes here until `close`.
   */
  async load(identity: Identity): Promise<unknown> {
    this.#lock = await Lock.take(dirname(this.#file), 'a training that goes on keeps its checkpoints here').catch(
      error => {
        // Where no file can be made, there is nothing to go on from and no checkpoint to be written, which saving says.
        if (error instanceof ListwiseError && error.code === 'file-unwritable') return undefined;
        throw error;
      },
    );
    if (this.#lock !== undefined) clearAbandoned(this.#file, true);
    if (!this.#resume) return undefined;
    const bytes = await fileBytes(this.#file).catch(error => {
      if (error instanceof ListwiseError && error.code === 'file-not-found') return undefined;
      throw error;
    });
    if (bytes === undefined) return undefined;
    const content = this.#content(bytes);
    const other = differences(content.identity, identity);
    if (other !== undefined) {
      this.#fail(
        `the checkpoint is of another run, which differs in ${other}; give those again, or train without \`resume\``,
      );
    }
    return content.state;
  }

  #content(bytes: Uint8Array): { readonly identity?: unknown; readonly state?: unknown } {
    const start = `{"format":"${FORMAT}",`;
    const end = Math.max(0, bytes.length - END_BYTES);
    const [, stated] = END.exec(Buffer.from(bytes.subarray(end)).toString('latin1')) ?? [];
    if (Buffer.from(bytes.subarray(0, start.length)).toString('latin1') !== start || stated === undefined) {
      this.#fail(`not a checkpoint of the format ${FORMAT}, or not all of it; train without \`resume\``);
    }
    bytes[end] = '}'.charCodeAt(0); // where the checksum begins
    const content = bytes.subarray(0, end + 1);
    if (stated !== checksum(content)) {
      this.#fail('the checkpoint does not match its checksum: it was damaged or changed; train without `resume`');
    }
    try {
      return decoded(parseJsonBytes(content)) as object; // it starts as one
    } catch (error) {
      return this.#fail(
        `not a checkpoint: ${error instanceof Error ? error.message : error}; train without \`resume\``,
      );
    }
  }

  #fail(what: string): never {
    throw new ListwiseError('checkpoint-invalid', what, { file: this.#file });
  }

  /** Writes the state, unless one was written just now; `always` writes in any case. */
  async save(identity: Identity, state: unknown, always = false): Promise<boolean> {
    const now = performance.now();
    if (!always && now - this.#written < Math.max(this.#everyMs, WORK_PER_SAVE * this.#tookMs)) return false;
    // Also after a failure: time is for training.
    this.#written = now;
    makeFolder(dirname(this.#file), this.#file);
    await writeText(this.#file, async sink => {
      const hash = createHash('sha256');
      let last = '';
      for (const piece of jsonPieces({ format: FORMAT, identity, state }, encode)) {
        hash.update(piece);
        if (last !== '') await sink.write(last);
        last = piece;
      }
      await sink.write(`${last.slice(0, -1)},"checksum":"${hash.digest('hex')}"}\n`);
    });
    this.#written = performance.now();
    this.#tookMs = this.#written - now;
    return true;
  }

  close(): void {
    this.#lock?.release();
  }
}

/** A run that goes on has as many iterations as it was asked for: those of its checkpoint cannot be taken back. */
export function refuseFewer(asked: number, done: number, iterations: string): void {
  if (asked >= done) return;
  throw new ListwiseError(
    'checkpoint-invalid',
    `the checkpoint has ${done} ${iterations}, more than the ${asked} asked for; ask for ${done} or more, or train without \`resume\``,
  );
}

function checksum(bytes: Uint8Array): string {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += 1 << 30) hash.update(bytes.subarray(at, at + (1 << 30)));
  return hash.digest('hex');
}

/** JSON has no typed arrays and no NaN: both are written as objects. */
function encode(_key: string, value: unknown): unknown {
  if (value instanceof Float64Array) {
    const texts = Array.from({ length: Math.ceil(value.length / MOST_FLOATS) }, (_, i) => {
      const part = value.subarray(i * MOST_FLOATS, (i + 1) * MOST_FLOATS);
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64');
    });
    return { float64: texts };
  }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') value[i] = decoded(value[i]);
    return value;
  }
  if ('float64' in value && Array.isArray(value.float64)) return floats(value.float64);
  if ('number' in value && typeof value.number === 'string') return Number(value.number);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decoded(part)]));
}

function floats(texts: readonly unknown[]): Float64Array {
  const bytes = Uint8Array.from(Buffer.concat(texts.map(text => Buffer.from(String(text), 'base64'))));
  return new Float64Array(bytes.buffer);
}
