/** Some attempts in a process of their own, so that a hang or a crash is seen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Area } from './area.js';
import { Patience } from './patience.js';
import { MARK, processesOf } from './processes.js';

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

/** The batches of an earlier run. A last line without its end was being written when it was killed: it is cut off. */
export function triedBefore(log: string): Batch[] {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(log, whole);
  return whole
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}

/** One line for each attempt, as it ends. */
export type Ended = { readonly tried: number } | Failure;

// By an address, not by a path: threads load it again, whatever the working directory.
const loader = new URL('../../scripts/run-typescript.mjs', import.meta.url).href;
const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** The folders stay for the next batch, its own unless something failed in it. */
export async function runBatch(
  area: Area,
  seed: number,
  folder: string,
  shared: string,
  over: () => boolean,
): Promise<Batch> {
  const began = Date.now();
  for (const one of [folder, shared]) mkdirSync(one, { recursive: true });
  const words = ['--try', area.name, '--seed', String(seed), '--count', String(area.batch)];
  const places = ['--dir', folder, '--shared', shared];
  const mark = randomUUID();
  const child = spawn(process.execPath, ['--import', loader, main, ...words, ...places], {
    stdio: ['pipe', 'pipe', 'pipe'], // the first is closed with this process: see endWithParent
    detached: true, // a group of processes that ends together
    env: { ...process.env, TMPDIR: folder, [MARK]: mark },
  });
  let said = '';
  let text = '';
  let at = 0;
  let tried = 0;
  const failures: Failure[] = [];
  const patience = new Patience(mark);
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
    by.watch = over() ? 'time' : patience.hangs();
    if (by.watch !== undefined) endAll(child, mark);
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

function endAll(child: ChildProcess, mark: string): void {
  for (const { pid } of processesOf(mark) ?? []) kill(pid);
  kill(-child.pid!);
  child.kill('SIGKILL'); // Windows has no groups
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it has just ended
}

/** In a batch: ends with all that it has started when the process that started it is gone, however that ended. */
export function endWithParent(clear: () => void): void {
  const mark = process.env[MARK];
  if (mark === undefined) return; // by hand
  process.stdin.on('close', () => {
    const others = (processesOf(mark) ?? []).filter(({ pid }) => pid !== process.pid);
    for (const { pid } of others) kill(pid);
    clear();
    kill(-process.pid);
  });
  process.stdin.resume();
  process.stdin.unref();
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise(done => child.on('close', (code, signal) => done(code ?? signal ?? 'nothing')));
}
