/** A command of ours in a process of its own, beside this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Characters of stderr that are kept. */
const MOST_SAID = 4096;

const main = fileURLToPath(new URL('./main.js', import.meta.url));

export interface Started {
  /** Asks it to end; what it has is kept. */
  stop(): void;
  /** Why it ended without having done its work, where it does so within so many milliseconds. */
  failure(milliseconds: number): Promise<string | undefined>;
  readonly ended: Promise<unknown>;
}

/**
 * Once it goes on, what it has to say is in its run folder; before, it has no more than the last line on stderr to say
 * why it cannot.
 */
export function startCommand(words: readonly string[], directory: string): Started {
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(process.execPath, [main, ...words, '--quiet'], { cwd: directory, stdio: [...stdio] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  });
  const ended = once(child, 'close').then(
    ([code, signal]: (string | number | null)[]) =>
      code === 0 ? undefined : said.trim().split('\n').at(-1) || `it ended with ${code ?? signal}`,
    // The directory may be gone.
    (error: Error) => error.message,
  );
  const failure = async (milliseconds: number) => {
    const waited = new AbortController();
    const late = setTimeout(milliseconds, undefined, { signal: waited.signal }).catch(() => undefined);
    return Promise.race([ended, late]).finally(() => waited.abort());
  };
  return { stop: () => child.kill('SIGTERM'), failure, ended };
}
