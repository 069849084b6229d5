/** When threads are started: not for little work, and in time for much. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atOnce, inOneStep, type Steps } from '#listwise/steps.js';
import { TaskCrew } from '#listwise/threads/task-crew.js';
import { costs, isWorthwhile, Worthwhile } from '#listwise/threads/worthwhile.js';
import { temporaryDirectory } from '../temporary.js';

const usual = { ...costs };
beforeEach(() => Object.assign(costs, { start: 400, round: 0, told: 100 }));
afterEach(() => Object.assign(costs, usual));

/** After how many milliseconds of rounds threads are started; a task takes the same in all of them. */
function startedAfter(threads: number, tasks: number, msATask: number, processor = 1): number {
  let now = 0;
  const worthwhile = new Worthwhile(threads, { now: () => now, processor: () => processor * now });
  for (let round = 0; round < 10_000; round++) {
    worthwhile.begin(tasks);
    for (let done = 1; done <= tasks; done++) {
      now += msATask;
      if (worthwhile.after(done)) return now;
    }
  }
  return Infinity;
}

describe('threads are started', () => {
  it('once they would have saved what it takes to start them', () => {
    expect(startedAfter(2, 10, 1)).toBe(800);
    expect(startedAfter(4, 10, 1)).toBe(534);
    // There is work for two of them only.
    expect(startedAfter(4, 2, 1)).toBe(800);
  });

  it('where a round takes longer than that, as soon as that is known', () => {
    expect(startedAfter(2, 1000, 1)).toBe(100);
    expect(startedAfter(2, 1000, 0.5)).toBe(800);
    expect(startedAfter(2, 20, 300)).toBe(300);
  });

  it('never for rounds of one task, or rounds so short that waking threads up takes as long', () => {
    expect(startedAfter(2, 1, 50)).toBe(Infinity);
    costs.round = 0.05;
    expect(startedAfter(2, 10, 0.01)).toBe(Infinity);
    expect(startedAfter(2, 10, 0.02)).toBeCloseTo(1600, 0);
  });

  it('later where others have the processors', () => {
    expect(startedAfter(2, 10, 1, 0.5)).toBe(1600);
    // Other threads of the process.
    expect(startedAfter(2, 10, 1, 3)).toBe(800);
  });

  it('beforehand where the work is known', () => {
    expect([isWorthwhile(799, 2), isWorthwhile(801, 2), isWorthwhile(1e9, 1)]).toEqual([false, true, false]);
    costs.start = 0;
    expect([isWorthwhile(0, 2), isWorthwhile(0, 1)]).toEqual([true, false]);
  });
});

describe('a crew whose threads are late', () => {
  const module = join(temporaryDirectory(), 'tasks.mjs');
  writeFileSync(module, 'export const serve = job => ({ tasks(kind, task) { Atomics.add(job, task, 1); } });');
  const done = new Int32Array(new SharedArrayBuffer(4 * 20));
  const once = Array<number>(20).fill(1);
  const jobs: number[] = [];
  const late = () =>
    TaskCrew.late(pathToFileURL(module), 2, thread => {
      jobs.push(thread);
      return done;
    });
  const run = (_: number, task: number) => {
    Atomics.add(done, task, 1);
    for (const begun = performance.now(); performance.now() - begun < 2; );
  };
  type Play = (crew: TaskCrew) => Steps<void> | undefined;
  const ways: [string, Play][] = [
    ['play', crew => void crew.play(run, 0, 20)],
    ['steps', crew => crew.steps((kind, task) => inOneStep(() => run(kind, task)), 0, 20)],
    ['shortSteps', crew => crew.shortSteps(run, 0, 20)],
  ];
  const play = (way: Play, crew: TaskCrew) => {
    done.fill(0);
    const steps = way(crew);
    if (steps !== undefined) atOnce(steps);
  };
  beforeEach(() => jobs.splice(0));

  it.each(ways)('does every task once, from the first alone to the last together: %s', async (_, way) => {
    costs.start = 10;
    const crew = late();
    expect(crew.threads).toBe(1);
    while (crew.threads === 1) play(way, crew);
    expect(crew.threads).toBe(3);
    expect(jobs).toEqual([1, 2]);
    expect([...done]).toEqual(once);
    await crew.ready;
    play(way, crew);
    expect([...done]).toEqual(once);
    await crew.close();
  });

  it.each(ways)('starts none for little work: %s', async (_, way) => {
    costs.start = 1e9;
    const crew = late();
    for (let round = 0; round < 3; round++) play(way, crew);
    expect([...done]).toEqual(once);
    expect([crew.threads, jobs]).toEqual([1, []]);
    await crew.close();
  });
});
