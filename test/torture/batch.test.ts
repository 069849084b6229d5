/** Who tortures knows what hangs from what others hold up, and leaves no process behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';
import { triedBefore } from './batch.js';
import { Patience } from './patience.js';
import { MARK, processesOf } from './processes.js';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that waits, in a session of its own, as those of a browser are. */
async function waiting(mark: string): Promise<ChildProcess> {
  const words = ['-e', 'process.stdin.resume(); console.log("waits")'];
  const child = spawn(process.execPath, words, { env: { ...process.env, [MARK]: mark }, detached: true });
  started.push(child);
  await once(child.stdout, 'data');
  await until(() => statesOf(mark).every(state => state === 'S'));
  return child;
}

const statesOf = (mark: string) => processesOf(mark)!.map(({ state }) => state);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

const look = (patience: Patience) => Array.from({ length: 130 }, () => patience.hangs()).at(-1);

describe.runIf(process.platform === 'linux')('a batch', () => {
  it('hangs where all its processes wait, not where one of them is stopped', async () => {
    const [one] = await Promise.all([waiting('two'), waiting('two')]);
    expect(look(new Patience('two'))).toBe('it waits for 120 s, and nothing runs');
    one.kill('SIGSTOP');
    await until(() => statesOf('two').includes('T'));
    expect(look(new Patience('two'))).toBeUndefined();
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with who started it, by %s', async signal => {
    const folder = temporaryDirectory();
    const script = fileURLToPath(new URL('../../scripts/torture.mjs', import.meta.url));
    const words = ['--only', 'models', '--minutes', '9', '--dir', folder];
    const child = spawn(process.execPath, [script, ...words], { stdio: 'ignore' });
    started.push(child);
    const end = once(child, 'close');
    await until(() => commandsWith(folder).some(words => words.includes('--try')));
    child.kill(signal);
    await end;
    await until(() => commandsWith(folder).length === 0);
  });
});

it('what was tried before is gone on with, without a line that was cut', () => {
  const log = join(temporaryDirectory(), 'tried.jsonl');
  expect(triedBefore(log)).toEqual([]);
  const batch = { area: 'models', seed: 1, tried: 2, failures: [], seconds: 3 };
  writeFileSync(log, `${JSON.stringify(batch)}\n{"area":"mod`);
  expect(triedBefore(log)).toEqual([batch]);
  appendFileSync(log, `${JSON.stringify(batch)}\n`);
  expect(triedBefore(log)).toEqual([batch, batch]);
});

/** The words of commands that name a folder. */
function commandsWith(folder: string): string[][] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      const text = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return text.includes(folder) ? [text.split('\0')] : [];
    } catch {
      return []; // it has just ended
    }
  });
}
