/** Some attempts in a process of their own, so that a hang or a crash is seen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Area } from './area.js';
import { Patience } from './patience.js';

export interface Failure {
  readonly seed: number;
  readonly what: string;
}

/** A line of what was tried. */
export interface Batch {
  readonly area: string;
  readonly seed: number;
  readonly tried: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

/** One line for each attempt, as it ends. */
export type Ended = { readonly tried: number } | Failure;

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** The folders stay for the next batch, its own unless something failed in it. */
export async function runBatch(area: Area, seed: number, folder: string, shared: string, end: number): Promise<Batch> {
  const began = Date.now();
  for (const one of [folder, shared]) mkdirSync(one, { recursive: true });
  const words = ['--try', area.name, '--seed', String(seed), '--count', String(area.batch)];
  const child = spawn(process.execPath, [...process.execArgv, main, ...words, '--dir', folder, '--shared', shared], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of processes that ends together
    env: { ...process.env, TMPDIR: folder },
  });
  let said = '';
  let text = '';
  let at = 0;
  let tried = 0;
  const failures: Failure[] = [];
  const patience = new Patience(child.pid!);
  const by = { watch: undefined as string | undefined };
  child.stderr.on('data', data => (said = `${said}${data}`.slice(-4000)));
  child.stdout.on('data', data => {
    text += data;
    patience.begin();
    for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n')) {
      const result: Ended = JSON.parse(text.slice(0, line));
      text = text.slice(line + 1);
      at++;
      if ('what' in result) failures.push(result);
      tried += 'what' in result ? 1 : result.tried;
    }
  });
  const watch = setInterval(() => {
    by.watch = Date.now() > end ? 'time' : patience.hangs();
    if (by.watch !== undefined) endGroup(child);
  }, 1000);
  const code = await exitOf(child);
  clearInterval(watch);
  if (by.watch === undefined && code !== 0) failures.push({ seed: seed + at, what: `exit ${code}: ${said}` });
  else if (by.watch !== undefined && by.watch !== 'time') failures.push({ seed: seed + at, what: by.watch });
  if (by.watch !== undefined || code !== 0) {
    area.clear?.(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 }); // a browser may still be at its end
  }
  return { area: area.name, seed, tried, failures, seconds: (Date.now() - began) / 1000 };
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // Windows has no groups
  }
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise(done => child.on('close', (code, signal) => done(code ?? signal ?? 'nothing')));
}
