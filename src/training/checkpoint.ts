/**
 * Checkpoints: the state of a run in one file, written whole or not at all, so that a run that was ended goes on to the
 * same model. What the run is of, data and options, is kept with it: no run goes on with another's state.
 */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { makeFolder } from '../io/durable.js';
import { fileBytes } from '../io/file-bytes.js';
import { differences, type Identity } from '../io/identity.js';
import { parseJsonBytes } from '../io/json-bytes.js';
import { jsonPieces } from '../io/json-pieces.js';
import { Lock } from '../io/lock.js';
import { clearAbandoned } from '../io/pending-file.js';
import { unreadable } from '../io/unreadable.js';
import { writeText } from '../io/whole-file.js';
import { decoded, encode } from './checkpoint-values.js';

/** 3 has a checksum, and says what it is of part by part; 4 has splits by category; 5 is of any size; 6 its length. */
const FORMAT = 'listwise/checkpoint/6';
/** How checkpoints of every version begin: what does not is somebody else's. */
const OURS = '{"format":"listwise/checkpoint/';
/** How the text ends: a checksum over all before it. */
const END = /^,"checksum":"([0-9a-f]{64})"\}\n$/;
const END_BYTES = 80;
export const CHECKPOINT_FILE = 'checkpoint.json';
/** A checkpoint of hundreds of megabytes takes seconds: a training spends at most a tenth of its time on them. */
const WORK_PER_SAVE = 9;

export class CheckpointStore {
  readonly #file: string;
  readonly #resume: boolean;
  readonly #everyMs: number;
  #lock: Lock | undefined;
  #replaces = false;
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
    const found = await this.#find();
    this.#replaces = found && !this.#resume;
    if (!found || !this.#resume) return undefined;
    const content = this.#content(await fileBytes(this.#file));
    const other = differences(content.identity, identity);
    if (other !== undefined) {
      this.#fail(
        `the checkpoint is of another run, which differs in ${other}; give those again, or train without \`resume\``,
      );
    }
    return content.state;
  }

  /** Where a training starts over: the checkpoint that it takes the place of; undefined where there is none. */
  get replaces(): string | undefined {
    return this.#replaces ? this.#file : undefined;
  }

  /** Whether there is a checkpoint. What others have put there under its name is not written over. */
  async #find(): Promise<boolean> {
    const start = Buffer.alloc(OURS.length);
    try {
      // Whoever opens a pipe waits for its other end.
      if ((await stat(this.#file)).isFIFO()) return this.#foreign();
      const file = await open(this.#file);
      try {
        await file.read(start);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof ListwiseError) throw error;
      // Where there is no folder either, saving says why.
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw unreadable(this.#file, error);
    }
    return start.toString('latin1') === OURS || this.#foreign();
  }

  #foreign(): never {
    return this.#fail('not a checkpoint of listwise, and not written over; take it away, or name another folder');
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
