/** Processes that take a lock at a moment, for tests of two that come at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const module = new URL('../../dist/io/lock.js', import.meta.url).href;
/** Takes the lock at a moment, says whether it has it, and keeps it until it is told to end. */
const TAKER = `
  import { Lock } from ${JSON.stringify(module)};
  process.stdin.resume();
  process.stdout.write('ready\\n');
  const directory = process.argv[1];
  process.stdin.once('data', async at => {
    while (Date.now() < Number(at)) {}
    try {
      await Lock.take(directory, 'taken');
      process.stdout.write('in\\n');
    } catch (error) {
      process.stdout.write(\`\${error.code}\\n\`);
    }
  });
`;

/** `by` is a program that starts it, with its options. */
export function taker(directory: string, by: readonly string[] = []): ChildProcess {
  const [program, ...words] = [...by, process.execPath, '--input-type=module', '-e', TAKER, directory];
  return spawn(program!, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
}

export async function says(child: ChildProcess): Promise<string> {
  const [text] = await once(child.stdout!, 'data');
  return String(text).trim();
}

/** Kills it. */
export async function releaseTaker(child: ChildProcess): Promise<void> {
  const end = once(child, 'close');
  child.kill('SIGKILL');
  await end;
}
