import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { atOnce, inOneStep, inTurns } from '#listwise/steps.js';
import { Crew } from '#listwise/threads/crew.js';
import { TaskCrew } from '#listwise/threads/task-crew.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();

let modules = 0;
/** A module whose `serve(job)` has this body. */
function moduleOf(body: string): URL {
  const file = join(directory, `${modules++}.mjs`);
  const errors = new URL('../../dist/errors.js', import.meta.url).href;
  writeFileSync(file, `import { ListwiseError } from '${errors}';\nexport async function serve(job) { ${body} }`);
  return pathToFileURL(file);
}

/** A thread counts in shared memory for as long as it is there. */
const counting = 'const tick = setInterval(() => Atomics.add(job.count, 0, 1), 1);';
const counter = () => new Int32Array(new SharedArrayBuffer(4));

/** Whether the threads that count do so no more. */
async function stopped(count: Int32Array): Promise<boolean> {
  const before = Atomics.load(count, 0);
  await sleep(100);
  return Atomics.load(count, 0) === before;
}

const mistake = "new ListwiseError('label-invalid', 'not a label', { file: 'a.txt', line: 3, column: 4 })";

function expectMistake(found: unknown): void {
  expect(found).toBeInstanceOf(ListwiseError);
  expect(found).toMatchObject({
    code: 'label-invalid',
    message: 'a.txt:3:4: not a label',
    place: { file: 'a.txt', line: 3, column: 4 },
  });
}

const thrown = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('a crew', () => {
  it('answers requests, also those sent before it is up, and says things before', async () => {
    const module = moduleOf(`await new Promise(done => setTimeout(done, 50));
      return { answer: (request, { report }) => { report('soon'); return request * job; } };`);
    const crew = new Crew<number, number, string>(module, [2, 3]);
    expect(crew.size).toBe(2);
    const reports: string[] = [];
    const answers = [crew.ask(0, 10), crew.ask(1, 10, report => reports.push(report)), crew.ask(0, 11)];
    expect(await Promise.all(answers)).toEqual([20, 30, 22]);
    expect(reports).toEqual(['soon']);
    await crew.close();
    await expect(crew.ask(0, 1)).rejects.toThrow('closed');
  });

  it('goes on after a request that failed, whose error is the one thrown', async () => {
    const module = moduleOf(`return { async answer(request) {
      if (request === 1) throw ${mistake};
      if (request === 2) throw new TypeError('a slip');
      return request === 3 ? () => {} : request;
    } };`);
    const crew = new Crew<number, number>(module, [undefined]);
    expectMistake(await thrown(crew.ask(0, 1)));
    await expect(crew.ask(0, 2)).rejects.toThrow('TypeError: a slip');
    await expect(crew.ask(0, 3)).rejects.toThrow('could not be cloned');
    expect(await crew.ask(0, 4)).toBe(4);
    await crew.close();
  });

  it('ends where one thread cannot start: the others are terminated and the mistake is reported', async () => {
    const count = counter();
    const module = moduleOf(`${counting} if (job.fails) { clearInterval(tick); throw ${mistake}; }
      return { answer: () => new Promise(() => {}) };`);
    const crew = new Crew<number>(module, [{ count }, { count, fails: true }, { count }]);
    const asked = thrown(crew.ask(0, 1));
    expectMistake(await thrown(crew.ready));
    expect(await stopped(count)).toBe(true);
    expectMistake(await asked);
    expectMistake(await thrown(crew.ask(2, 1)));
    await crew.close();
  });

  it('leaves no thread where a job cannot be sent', async () => {
    const count = counter();
    const crew = new Crew(moduleOf(`${counting} return {};`), [{ count }, { count, call: () => {} }, { count }]);
    await expect(crew.ready).rejects.toThrow('could not be cloned');
    expect(await stopped(count)).toBe(true);
    await crew.close();
  });

  it('says that a module is missing', async () => {
    const crew = new Crew(new URL('./nowhere.js', import.meta.url), [undefined]);
    await expect(crew.ready).rejects.toThrow(/Cannot find module.*nowhere/);
  });

  it.each([
    ['process.exit(3)', 'a thread ended by itself with code 3'],
    ["setImmediate(() => { throw new Error('a stray one') })", 'a stray one'],
  ])('ends with a thread that ends: %s', async (ending, message) => {
    const module = moduleOf(`return { answer: ends => { if (ends) ${ending}; return new Promise(() => {}); } };`);
    const crew = new Crew<boolean>(module, [1, 2]);
    await crew.ready;
    const waiting = thrown(crew.ask(0, false));
    await expect(crew.ask(1, true)).rejects.toThrow(message);
    expect(await waiting).toMatchObject({ message });
    await expect(crew.ask(0, false)).rejects.toThrow(message);
    await crew.close();
  });

  it('tells its requests that the signal was aborted', async () => {
    const module = moduleOf(`return { answer: (request, { signal }) =>
      new Promise(done => signal.addEventListener('abort', () => done('interrupted ' + request))) };`);
    const controller = new AbortController();
    const crew = new Crew<number, string>(module, [1, 2], { signal: controller.signal });
    await crew.ready;
    const answers = [crew.ask(0, 7), crew.ask(1, 8)];
    controller.abort();
    expect(await Promise.all(answers)).toEqual(['interrupted 7', 'interrupted 8']);
    await crew.close();
  });

  it('is ended by the signal where it is not up', async () => {
    const count = counter();
    const module = moduleOf(`${counting} await new Promise(() => {});`);
    const controller = new AbortController();
    const crew = new Crew(module, [{ count }, { count }], { signal: controller.signal });
    while (Atomics.load(count, 0) === 0) await sleep(5);
    controller.abort();
    await expect(crew.ready).rejects.toMatchObject({ code: 'training-interrupted' });
    expect(await stopped(count)).toBe(true);
    const late = new Crew(module, [{ count }], { signal: controller.signal });
    await expect(late.ready).rejects.toMatchObject({ code: 'training-interrupted' });
    expect(late.size).toBe(0);
  });
});

describe('a crew on a task board', () => {
  const slow = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);';

  it('shares tasks out and says what a thread threw', async () => {
    const module = moduleOf(`return { tasks(kind, task) { ${slow}
      if (kind === 1) throw ${mistake};
      Atomics.add(job, task, 1); } };`);
    const done = new Int32Array(new SharedArrayBuffer(4 * 40));
    const crew = await TaskCrew.start(module, [done, done]);
    expect(crew.threads).toBe(3);
    const run = (_: number, task: number) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      Atomics.add(done, task, 1);
    };
    crew.play(run, 0, 40);
    expect([...done]).toEqual(Array(40).fill(1));
    expectMistake(await thrown((async () => atOnce(crew.steps((k, task) => inOneStep(() => run(k, task)), 1, 40)))()));
    await crew.close();
  });

  it('ends where a thread cannot start', async () => {
    expectMistake(await thrown(TaskCrew.start(moduleOf(`if (job === 2) throw ${mistake}; return {};`), [1, 2])));
  });

  it('is not waited for once a thread is gone', async () => {
    const crew = await TaskCrew.start(moduleOf('return { tasks() { process.exit(4); } };'), [undefined]);
    const run = (_: number, task: number) => inOneStep(() => void (task >= 0 && Atomics.wait(counter(), 0, 0, 20)));
    await expect(inTurns(crew.steps(run, 0, 20))).rejects.toThrow('a thread ended by itself with code 4');
    await crew.close();
  });
});

it('is the only place that starts threads', () => {
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const starting = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .filter(file => readFileSync(join(source, file), 'utf8').includes('new Worker('));
  expect(starting).toEqual([join('threads', 'crew.ts')]);
});
