/** Runs the command line as a user does: a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

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
}

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

/** A process that is still talked to. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], {
    cwd: options.cwd ?? examples,
    env: { ...environment, ...options.env },
  });
}
