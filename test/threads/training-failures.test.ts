/** What goes wrong in a thread while training: the error says what, where, with its code, and nothing hangs. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic } from '../training/small-data.js';
import '../threads-at-once.js';

const directory = temporaryDirectory();

let files = 0;
function fileOf(source: string, extension = 'mjs'): string {
  const file = join(directory, `${files++}.${extension}`);
  writeFileSync(file, source);
  return file;
}

/** A module with an objective: what it does when loaded, and its lambdas. */
const moduleOf = (atLoad: string, lambdas = 'lambda.fill(1, 0, view.n)') =>
  fileOf(`import { isMainThread, threadId } from 'node:worker_threads';
  const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  ${atLoad};
  export const own = { name: 'own', title: 't', description: 'd', citation: 'c', operands: 'none', parameters: {},
    create: () => ({ hessian: 'none', start: () => ({ lambdas(view, { lambda, hessian }) {
      hessian.fill(1, 0, view.n); ${lambdas}; return view.n; } }) }) };`);

describe.each([
  ['net', { hidden: [100], epochs: 2, batch: 'all' }],
  ['trees', { trees: 2 }],
])('training %s on threads', (model, options) => {
  const run = (module: string) =>
    trainNamed({
      data: cubic(150, 1, 40, 50),
      model,
      options,
      objective: 'own',
      holdout: 0,
      modules: [module],
      threads: 3,
    });

  it('names the query of a lambda that is no number', async () => {
    // The main thread is slow, so that the others get something to do.
    const module = moduleOf('', 'lambda.fill(isMainThread ? 1 : NaN, 0, view.n); if (isMainThread) sleep()');
    await expect(run(module)).rejects.toMatchObject({
      code: 'lambda-invalid',
      message: expect.stringMatching(
        /^own gives document 1 of query "\w+" the lambda NaN; it must be a finite number$/,
      ),
    });
  });

  it('says what a module does wrong where a thread loads it', async () => {
    const file = moduleOf("if (!isMainThread) throw new Error('no room here')");
    const found = await run(file).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(ListwiseError);
    expect(found).toMatchObject({
      code: 'plugin-invalid',
      detail: 'the module cannot be loaded: no room here',
      place: { file },
    });
  });
});

it.each([
  ['net', '--set hidden=500,500 --set epochs=1'],
  ['trees', '--set trees=2'],
])('training %s ends where one of several threads cannot start', (model, options) => {
  const rows = Array.from({ length: 4000 }, (_, i) => {
    const features = Array.from({ length: 50 }, (_, f) => `${f + 1}:${(i * (f + 3)) % 17}`);
    return `${i % 3} qid:${Math.floor(i / 40)} ${features.join(' ')}`;
  });
  const data = fileOf(rows.join('\n'), 'txt');
  const module = moduleOf("if (!isMainThread && threadId % 2 === 0) throw new Error('no room here')");
  const dist = new URL('../../dist/', import.meta.url);
  const main = fileURLToPath(new URL('cli/main.js', dist));
  const atOnce = `import { costs } from '${new URL('threads/worthwhile.js', dist).href}'; costs.start = 0;`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(atOnce)}`,
      main,
      ...`train ${data} --model ${model} --objective own --load ${module} ${options} --holdout 0 --threads 4`.split(
        ' ',
      ),
    ],
    { encoding: 'utf8', cwd: directory, timeout: 40_000, killSignal: 'SIGKILL' },
  );
  expect(status, stderr).toBe(2);
  expect(stderr).toContain(`${module}: the module cannot be loaded: no room here`);
});
