/** What a command says: results to stdout, notes and progress to stderr, files whole or not at all. */
import { once } from 'node:events';
import { alone, type Transport } from '../ranks/transport.js';
import { paper, type Screen, visibleJson, visibleLines } from '../report/render/screen.js';
import { inFlags } from './flags.js';
import { type Io, lostResults } from './io.js';
import type { Signals } from './signals.js';
import { clearProgress, Progress } from './terminal/progress.js';
import { type Environment, screenOf } from './terminal/terminal.js';

export interface OutputOptions {
  json: boolean;
  quiet: boolean;
}

/** A result as text, for the screen it is shown on. */
export type Drawing = (screen: Screen) => string;

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #io: Io;
  readonly #decoder = new TextDecoder();

  constructor(io: Io, options: OutputOptions) {
    this.#io = io;
    this.json = options.json;
    this.quiet = options.quiet;
  }

  get signals(): Signals {
    return this.#io.signals;
  }

  get ranks(): Transport {
    return this.#io.ranks ?? alone;
  }

  get env(): Environment {
    return this.#io.env;
  }

  /** The result: `value` as one JSON object with its schema, or `text` for people. */
  result(command: string, value: Record<string, unknown>, text: Drawing): void {
    clearProgress();
    const screen = screenOf(this.#io.stdout, this.env);
    const drawn = this.json ? printJson(command, value) : visibleLines(text(screen), screen.colour);
    this.#io.stdout.write(`${drawn}\n`);
  }

  /** As `result`, into a file where one is named; a JSON object is printed then too. */
  async resultTo(
    file: string | undefined,
    command: string,
    value: Record<string, unknown>,
    text: Drawing,
  ): Promise<void> {
    if (file === undefined || this.json) this.result(command, value, text);
    if (file !== undefined) {
      // Help writes no file.
      const { writeText } = await import('../io/whole-file.js');
      await writeText(file, sink =>
        sink.write(`${this.json ? printJson(command, value) : visibleLines(text(paper))}\n`),
      );
      this.note(`written to ${file}`);
    }
  }

  /**
   * Lines of a result that is itself data, such as scores without --out; waits where the reader is slow. Files and
   * pipes get it as it is, a terminal what it can show.
   */
  async data(data: string | Uint8Array): Promise<void> {
    clearProgress();
    const { stdout } = this.#io;
    const text = typeof data === 'string' ? data : this.#decoder.decode(data, { stream: true });
    if (stdout.write(stdout.isTTY ? visibleLines(text) : data)) return;
    await once(stdout, 'drain').catch(error => {
      throw lostResults(stdout, error);
    });
  }

  /** A progress line for one piece of work; `atOnce` where it surely takes long. */
  progress(label: string, { atOnce = false } = {}): Progress {
    return new Progress(label, { stream: this.#io.stderr, env: this.env, quiet: this.quiet, atOnce });
  }

  /** The same for work that tells the share done. */
  shares(label: string): (share: number) => void {
    const progress = this.progress(label);
    return share => progress.update(share, 1);
  }

  /** A remark for the person watching. */
  note(text: string): void {
    if (!this.quiet) this.warn(text);
  }

  /** What is lost, though the work goes on: told in any case. */
  warn(text: string): void {
    clearProgress();
    this.#io.stderr.write(`${visibleLines(inFlags(text))}\n`);
  }
}

/** The JSON object that a command prints, on one line. */
export function printJson(command: string, value: Record<string, unknown>): string {
  return visibleJson(JSON.stringify({ schema: `listwise/${command}/1`, ...value }, nanAsNull));
}

function nanAsNull(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
