/**
 * Checkpoints: the state of a run in one file, written whole or not at all, so that a run that was ended goes on to the
 * same model. What the run is of, data and options, is kept with it: no run goes on with another's state.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { makeFolder } from '../io/durable.js';
import { differences, type Identity } from '../io/identity.js';
import { Lock } from '../io/lock.js';
import { longText } from '../io/long-text.js';
import { unreadable } from '../io/unreadable.js';
import { unwritable } from '../io/unwritable.js';
import { writeText } from '../io/whole-file.js';

/** Version 3 has a checksum, and says what it is of part by part; version 4 has splits by category. */
const FORMAT = 'listwise/checkpoint/4';
/** How the text ends: a checksum over all before it. */
const END = /,"checksum":"([0-9a-f]{64})"\}\n$/;
const FILE = 'checkpoint.json';

export class CheckpointStore {
  readonly #file: string;
  readonly #resume: boolean;
  readonly #everyMs: number;
  #lock: Lock | undefined;
  #written = Number.NEGATIVE_INFINITY;

  /** `everyMs`: the least time between two checkpoints of one run. */
  constructor(directory: string, options: { resume?: boolean; everyMs?: number } = {}) {
    this.#file = join(directory, FILE);
    this.#resume = options.resume ?? false;
    this.#everyMs = options.everyMs ?? 1000;
  }

  /**
   * The state to go on from; undefined where there is none or none is wanted. Nobody else writes here until `close`.
   */
  async load<State>(identity: Identity): Promise<State | undefined> {
    this.#lock = await Lock.take(dirname(this.#file), 'a training that goes on keeps its checkpoints here').catch(
      error => {
        // Where no file can be made, there is nothing to go on from and no checkpoint to be written, which saving says.
        if (error instanceof ListwiseError && error.code === 'file-unwritable') return undefined;
        throw error;
      },
    );
    if (!this.#resume) return undefined;
    const text = await readFile(this.#file, 'utf8').catch(error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(this.#file, error);
    });
    if (text === undefined) return undefined;
    const content = this.#content(text);
    const other = differences(content.identity, identity);
    if (other !== undefined) {
      this.#fail(
        `the checkpoint is of another run, which differs in ${other}; give those again, or train without \`resume\``,
      );
    }
    return content.state as State; // as it was written: the checksum is right
  }

  #content(text: string): { readonly identity?: unknown; readonly state?: unknown } {
    const [written, stated] = END.exec(text) ?? [];
    if (!text.startsWith(`{"format":"${FORMAT}",`) || written === undefined) {
      this.#fail(`not a checkpoint of the format ${FORMAT}, or not all of it; train without \`resume\``);
    }
    const content = `${text.slice(0, -written.length)}}`;
    if (stated !== checksum(content)) {
      this.#fail('the checkpoint does not match its checksum: it was damaged or changed; train without `resume`');
    }
    try {
      return JSON.parse(content, decode);
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
  async save(identity: Identity, state: unknown, always = false): Promise<void> {
    const now = performance.now();
    if (!always && now - this.#written < this.#everyMs) return;
    // Also after a failure: time is for training.
    this.#written = now;
    try {
      makeFolder(dirname(this.#file));
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    const text = longText(this.#file, () => JSON.stringify({ format: FORMAT, identity, state }, encode));
    await writeText(this.#file, sink => sink.write(`${text.slice(0, -1)},"checksum":"${checksum(text)}"}\n`));
    this.#written = performance.now();
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

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON has no typed arrays and no NaN: both are written as objects. */
function encode(_key: string, value: unknown): unknown {
  if (value instanceof Float64Array) {
    return { float64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

function decode(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('float64' in value && typeof value.float64 === 'string') {
    const bytes = Uint8Array.from(Buffer.from(value.float64, 'base64'));
    return new Float64Array(bytes.buffer);
  }
  return 'number' in value && typeof value.number === 'string' ? Number(value.number) : value;
}
