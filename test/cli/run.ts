/** Runs the command line: in this process, or as a user does in one of its own. */
import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { run as runLine } from '#listwise/cli/run.js';
import { Signals } from '#listwise/cli/signals.js';

export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The small data that the docs use. */
export const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url));

/** Output must not depend on who runs the tests: UTF-8, colour only for terminals. */
const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
const environment = { ...inherited, LC_ALL: 'C.UTF-8' };

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Whether stdout is a terminal; in this process only. */
  isTTY?: boolean;
}

/**
 * In this process: quick, for all that does not need a process to be seen. The working directory is the process's, so
 * that runs wait for each other.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const outcome = before.then(() => runNow(args, options));
  before = outcome.catch(() => {});
  return outcome;
}

let before: Promise<unknown> = Promise.resolve();

async function runNow(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const stdout = Object.assign(new Captured(), { isTTY: options.isTTY ?? false });
  const stderr = new Captured();
  const stdin = Readable.from([Buffer.from(options.input ?? '')]);
  const env = { ...environment, ...options.env };
  const directory = process.cwd();
  process.chdir(options.cwd ?? examples);
  try {
    const code = await runLine(args, { stdout, stderr, stdin: () => stdin, env, signals: new Signals() });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(directory);
  }
}

/** Keeps what is written to it. */
class Captured extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** In a process of its own. */
export function listwise(args: readonly string[], options: RunOptions = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: options.cwd ?? examples,
    input: options.input ?? '',
    env: { ...environment, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout, stderr };
}

/** As `listwise`, with a full disk behind one of its streams. */
export function toFull(args: readonly string[], stream: 'stdout' | 'stderr', options: RunOptions = {}): Outcome {
  const device = openSync('/dev/full', 'w');
  try {
    const stdio: StdioOptions = stream === 'stdout' ? ['ignore', device, 'pipe'] : ['ignore', 'pipe', device];
    const cwd = options.cwd ?? examples;
    const ended = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', stdio, cwd, env: environment });
    return { code: ended.status, stdout: ended.stdout ?? '', stderr: ended.stderr ?? '' };
  } finally {
    closeSync(device);
  }
}

/** A process that is still talked to. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], {
    cwd: options.cwd ?? examples,
    env: { ...environment, ...options.env },
  });
}
