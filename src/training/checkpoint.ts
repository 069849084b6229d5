/**
 * Checkpoints: the state of a run in one file, written whole or not at all, so that a run that was ended goes on to the
 * same model. A fingerprint of data and options keeps a run from going on with another's state.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListwiseError } from '../errors.js';
import { writeText } from '../io/whole-file.js';

const FORMAT = 'listwise/checkpoint/2';
const FILE = 'checkpoint.json';

export class CheckpointStore {
  readonly #file: string;
  readonly #resume: boolean;
  readonly #everyMs: number;
  #written = Number.NEGATIVE_INFINITY;

  /** `everyMs`: the least time between two checkpoints of one run. */
  constructor(directory: string, options: { resume?: boolean; everyMs?: number } = {}) {
    this.#file = join(directory, FILE);
    this.#resume = options.resume ?? false;
    this.#everyMs = options.everyMs ?? 1000;
  }

  /** The state to go on from; undefined where there is none or none is wanted. */
  async load<State>(fingerprint: string): Promise<State | undefined> {
    if (!this.#resume) return undefined;
    const place = { file: this.#file };
    const text = await readFile(this.#file, 'utf8').catch(error => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new ListwiseError('file-unreadable', `cannot be read (${code ?? error})`, place);
    });
    if (text === undefined) return undefined;
    const content = parse(text) as { format?: unknown; fingerprint?: unknown; state: State } | undefined;
    if (content?.format !== FORMAT) {
      throw new ListwiseError(
        'checkpoint-invalid',
        `not a checkpoint of the format ${FORMAT}; train without \`resume\``,
        place,
      );
    }
    if (content.fingerprint !== fingerprint) {
      throw new ListwiseError(
        'checkpoint-invalid',
        'the checkpoint is of a run with other data, options, objective or seed; give those again, or train without `resume`',
        place,
      );
    }
    return content.state;
  }

  /** Writes the state, unless one was written just now; `always` writes in any case. */
  async save(fingerprint: string, state: unknown, always = false): Promise<void> {
    const now = performance.now();
    if (!always && now - this.#written < this.#everyMs) return;
    await mkdir(join(this.#file, '..'), { recursive: true }).catch(error => {
      const { code } = error as NodeJS.ErrnoException;
      throw new ListwiseError('file-unwritable', `cannot make the directory (${code})`, { file: this.#file });
    });
    const text = JSON.stringify({ format: FORMAT, fingerprint, state }, encode);
    await writeText(this.#file, sink => sink.write(text));
    this.#written = performance.now();
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

/** A digest of settings and of data that decide the model. */
export function fingerprintOf(settings: unknown, arrays: readonly ArrayBufferView[]): string {
  const hash = createHash('sha256').update(JSON.stringify(settings, encode));
  for (const array of arrays) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text, decode);
  } catch {
    return undefined;
  }
}
