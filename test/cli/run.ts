/** Runs the command line as a user does: a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The small data that the docs use. */
export const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function listwise(args: readonly string[], options: { input?: string; cwd?: string } = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: options.cwd ?? examples,
    input: options.input ?? '',
  });
  return { code: status, stdout, stderr };
}

/** A process that is still talked to. */
export function start(args: readonly string[], options: { cwd?: string } = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], { cwd: options.cwd ?? examples });
}
