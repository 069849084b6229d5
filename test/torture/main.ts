/**
 * `npm run torture -- [--minutes N] [--seed N] [--dir DIR] [--only AREA,…]`: tries everything of all.ts until the time
 * is up, each batch in a process of its own, so that a hang or a crash is seen. What was tried is kept in DIR: the same
 * DIR goes on from there. `--try AREA --seed N` does one attempt again.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '#listwise/numeric/random.js';
import { areas } from './all.js';
import type { Area, Attempt } from './area.js';
import { type Ended, endWithParent, runBatch, triedBefore } from './batch.js';
import { printTable } from './table.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    dir: { type: 'string' },
    shared: { type: 'string' },
    only: { type: 'string' },
    try: { type: 'string' },
    count: { type: 'string', default: '1' },
  },
});

if (options.try !== undefined) await attempts(areaOf(options.try), Number(options.seed), Number(options.count));
else await torture();

function areaOf(name: string): Area {
  const area = areas.find(one => one.name === name);
  if (area !== undefined) return area;
  throw new Error(`no area ${JSON.stringify(name)}; there are: ${areas.map(one => one.name).join('; ')}`);
}

async function attempts(area: Area, first: number, count: number): Promise<void> {
  const folder = options.dir ?? mkdtempSync(join(tmpdir(), 'torture-'));
  endWithParent(() => area.clear?.(folder));
  const say = (ended: Ended) => process.stdout.write(`${JSON.stringify(ended)}\n`);
  const work = async (attempt: Attempt) => {
    for (let seed = first; seed < first + count; seed++) {
      await attempt(new Random(seed, area.name)).then(
        tried => say({ tried }),
        error => say({ seed, what: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
    }
  };
  await area.open(folder, work, options.shared ?? folder);
  if (options.dir === undefined) rmSync(folder, { recursive: true, force: true });
}

async function torture(): Promise<void> {
  const began = Date.now();
  const end = began + 60_000 * Number(options.minutes);
  let told = false; // to end
  const over = () => told || Date.now() > end;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (told = true));
  const directory = options.dir ?? mkdtempSync(join(tmpdir(), 'torture-'));
  const log = join(directory, 'tried.jsonl');
  mkdirSync(directory, { recursive: true });
  const before = triedBefore(log);
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
    while (!over()) {
      const area = choose();
      busy.set(area, (busy.get(area) ?? 0) + 1);
      const seed = next;
      next += area.batch;
      const own = join(directory, `lane-${number}`);
      const batch = await runBatch(area, seed, join(own, area.name.replaceAll(/\W+/g, '-')), join(own, 'shared'), over);
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
  if (options.dir === undefined && !failed && !told) rmSync(directory, { recursive: true, force: true });
  process.exitCode = failed ? 1 : 0;
}
