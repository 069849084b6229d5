/**
 * `npm run torture -- [--minutes N] [--seed N] [--dir DIR] [--only AREA,…]`: tries everything of all.ts until the time
 * is up, each batch in a process of its own, so that a hang or a crash is seen. What was tried is kept in DIR: the same
 * DIR goes on from there. `--try AREA --seed N` does one attempt again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '#listwise/numeric/random.js';
import { areas } from './all.js';
import type { Area } from './area.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    dir: { type: 'string' },
    only: { type: 'string' },
    try: { type: 'string' },
    count: { type: 'string', default: '1' },
  },
});

/** An attempt that says nothing for so many seconds hangs; a process that is stopped does not count them. */
const PATIENCE = 300;

interface Failure {
  readonly seed: number;
  readonly what: string;
}

/** A line of what was tried. */
interface Batch {
  readonly area: string;
  readonly seed: number;
  readonly tried: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

/** One line for each attempt, as it ends. */
type Ended = { readonly counts: boolean } | Failure;

if (options.try !== undefined) await attempts(areaOf(options.try), Number(options.seed), Number(options.count));
else await torture();

function areaOf(name: string): Area {
  const area = areas.find(one => one.name === name);
  if (area !== undefined) return area;
  throw new Error(`no area ${JSON.stringify(name)}; there are: ${areas.map(one => one.name).join('; ')}`);
}

async function attempts(area: Area, first: number, count: number): Promise<void> {
  const folder = options.dir ?? mkdtempSync(join(tmpdir(), 'torture-'));
  const say = (ended: Ended) => process.stdout.write(`${JSON.stringify(ended)}\n`);
  await area.open(folder, async attempt => {
    for (let seed = first; seed < first + count; seed++) {
      await attempt(new Random(seed, area.name)).then(
        outcome => say({ counts: outcome === 'tried' }),
        error => say({ seed, what: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
    }
  });
  if (options.dir === undefined) rmSync(folder, { recursive: true, force: true });
}

async function torture(): Promise<void> {
  const began = Date.now();
  const end = began + 60_000 * Number(options.minutes);
  const directory = options.dir ?? mkdtempSync(join(tmpdir(), 'torture-'));
  const log = join(directory, 'tried.jsonl');
  mkdirSync(directory, { recursive: true });
  const before: Batch[] = existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line))
    : [];
  const only = options.only?.split(',');
  const chosen = areas.filter(({ name }) => only?.includes(name) ?? true);
  const possible = chosen.filter(area => area.missing?.() === undefined);
  console.log(`seed ${options.seed}, ${options.minutes} minutes; to go on: npm run torture -- --dir ${directory}`);
  const done = [...before];
  const busy = new Map<Area, number>();
  let next = Number(options.seed);

  /** The area that has had the least of its part of the time; what goes on now counts as a batch. */
  const choose = () => {
    const had = (area: Area) =>
      (done.filter(({ area: name }) => name === area.name).reduce((sum, { seconds }) => sum + seconds, 0) +
        20 * (busy.get(area) ?? 0)) /
      area.share;
    return possible.reduce((least, area) => (had(area) < had(least) ? area : least));
  };
  const lane = async (_: unknown, number: number) => {
    while (Date.now() < end) {
      const area = choose();
      busy.set(area, (busy.get(area) ?? 0) + 1);
      const seed = next;
      next += area.batch;
      const batch = await runBatch(
        area,
        seed,
        join(directory, `lane-${number}`, area.name.replaceAll(/\W+/g, '-')),
        end,
      );
      busy.set(area, busy.get(area)! - 1);
      done.push(batch);
      appendFileSync(log, `${JSON.stringify(batch)}\n`);
      for (const { seed: at, what } of batch.failures) {
        console.log(`\nFAILED: npm run torture -- --try ${JSON.stringify(area.name)} --seed ${at}\n${what}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
  printTable(chosen, done);
  const failed = done.some(({ failures }) => failures.length > 0);
  if (options.dir === undefined && !failed) rmSync(directory, { recursive: true, force: true });
  process.exitCode = failed ? 1 : 0;
}

/** The folder stays for the next batch, unless something failed in it. */
async function runBatch(area: Area, seed: number, folder: string, end: number): Promise<Batch> {
  const began = Date.now();
  mkdirSync(folder, { recursive: true });
  const words = ['--try', area.name, '--seed', String(seed), '--count', String(area.batch), '--dir', folder];
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of processes that ends together
    env: { ...process.env, TMPDIR: folder },
  });
  let said = '';
  let text = '';
  let at = 0;
  let tried = 0;
  const failures: Failure[] = [];
  let waited = 0;
  const by = { watch: 'nothing' as 'nothing' | 'hang' | 'time' };
  child.stderr.on('data', data => (said = `${said}${data}`.slice(-4000)));
  child.stdout.on('data', data => {
    text += data;
    waited = 0;
    for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n')) {
      const result: Ended = JSON.parse(text.slice(0, line));
      text = text.slice(line + 1);
      at++;
      if ('what' in result) failures.push(result);
      if ('what' in result || result.counts) tried++;
    }
  });
  // Counted here, not by a timer: both processes may be stopped for a while.
  const watch = setInterval(() => {
    if (++waited >= PATIENCE) by.watch = 'hang';
    else if (Date.now() > end) by.watch = 'time';
    else return;
    endGroup(child);
  }, 1000);
  const code = await exitOf(child);
  clearInterval(watch);
  if (by.watch === 'hang') failures.push({ seed: seed + at, what: `no end after ${PATIENCE} s` });
  else if (by.watch === 'nothing' && code !== 0) failures.push({ seed: seed + at, what: `exit ${code}: ${said}` });
  if (by.watch !== 'nothing' || code !== 0) {
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

function printTable(chosen: readonly Area[], done: readonly Batch[]): void {
  const rows: string[][] = [['area', 'tried', 'survived', 'failed', 'seconds']];
  const sums = new Map<string, number>();
  for (const area of chosen) {
    const missing = area.missing?.();
    const batches = done.filter(batch => batch.area === area.name);
    const sum = (value: (batch: Batch) => number) => batches.reduce((total, batch) => total + value(batch), 0);
    const tried = sum(batch => batch.tried);
    const failed = sum(batch => batch.failures.length);
    sums.set(area.unit, (sums.get(area.unit) ?? 0) + tried);
    const counts = [tried, tried - failed, failed, Math.round(sum(batch => batch.seconds))].map(String);
    rows.push([area.name, ...(missing === undefined ? counts : [`not tried: ${missing}`])]);
  }
  const widths = rows[0]!.map((_, c) => Math.max(...rows.filter(row => row.length > 2).map(row => row[c]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[0]!) : row.length > 2 ? cell.padStart(widths[c]!) : cell));
  console.log(`\n${rows.map(row => line(row).join('  ')).join('\n')}`);
  console.log([...sums].map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', '));
}
