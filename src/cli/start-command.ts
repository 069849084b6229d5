/** A command of ours in a process of its own, beside this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./main.js', import.meta.url));

export interface Started {
  /** Asks it to end; what it has is kept. */
  stop(): void;
  readonly ended: Promise<unknown>;
}

/** Nobody listens to it: what it has to say is in its run folder. */
export function startCommand(words: readonly string[], directory: string): Started {
  const child = spawn(process.execPath, [main, ...words, '--quiet'], { cwd: directory, stdio: 'ignore' });
  const ended = once(child, 'exit').catch(() => {});
  return { stop: () => child.kill('SIGTERM'), ended };
}
