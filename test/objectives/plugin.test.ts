/**
 * Objectives of the user's from a module: the recipe in docs/adding-an-objective.md, threads, the command line,
 * mistakes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseObjective } from '#listwise/objectives/parse.js';
import { loadLibrary } from '#listwise/objectives/plugin.js';
import { trainNamed } from '#listwise/training/train.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic, separable } from '../training/small-data.js';
import { datasetOf, lambdasOf } from './queries.js';
import '../threads-at-once.js';

const directory = temporaryDirectory();

let modules = 0;
function fileOf(source: string, extension = 'mjs'): string {
  const file = join(directory, `${modules++}.${extension}`);
  writeFileSync(file, source);
  return file;
}

const page = readFileSync(new URL('../../docs/adding-an-objective.md', import.meta.url), 'utf8');
const example = /```js\n(.*?)```/s.exec(page)![1]!;
const measure = `export const clean = { name: 'clean', title: 't', description: 'd', citation: 'c', cutoff: 'none', range: [0, 1],
  parameters: {}, create: (_, { labels }) => ({ value: view => (view.ranked(labels)[0] >= 1 ? 1 : 0) }) };`;
/** An objective whose lambdas and start are given. */
const objective = (lambdas: string, change = '') => `import { isMainThread } from 'node:worker_threads';
  const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  export const own = { name: 'own', title: 't', description: 'd', citation: 'c', operands: 'none', parameters: {},
    create: () => ({ hessian: 'none', start: () => ({ lambdas(view, { lambda, hessian }) {
      hessian.fill(1, 0, view.n); ${lambdas}; return view.n; } }) }), ${change} };`;

describe('docs/adding-an-objective.md', () => {
  it('shows a module that loads and pushes', async () => {
    const library = await loadLibrary([fileOf(example)]);
    expect(library.objectives.map(({ name }) => name)).toEqual(['topheavy']);
    const query = { scores: [1, 3, 2], label: [0, 4, Number.NaN], clicks: [0, 0, 0] };
    const { lambda, count } = lambdasOf(parseObjective('topheavy', library).start(datasetOf(query)), query);
    expect(lambda).toEqual([-1 / 3, 1, 0]);
    expect(count).toBe(3);
    expect(parseObjective('sum(topheavy,ranknet)', library).spec).toBe('sum(topheavy,ranknet)');
  });
});

describe('objectives of a module', () => {
  it.each([
    ['net', { hidden: [100], epochs: 2, batch: 'all' }],
    ['trees', { trees: 2 }],
  ])('train %s on every thread, to the same model', async (model, options) => {
    const settings = {
      data: cubic(150, 1, 40, 50),
      model,
      options,
      objective: 'topheavy',
      select: 'clean',
      holdout: 0,
    };
    const files = [fileOf(example + measure)];
    const [one, two] = [
      await trainNamed({ ...settings, modules: files, threads: 1 }),
      await trainNamed({ ...settings, modules: files, threads: 2 }),
    ];
    expect(two.model.toJSON()).toEqual(one.model.toJSON());
    // The main thread is slow, so that the other one gets something to do.
    const outside = [
      fileOf(objective("if (!isMainThread) throw new Error('a thread is here'); sleep(); lambda.fill(1, 0, view.n)")),
    ];
    await expect(
      trainNamed({ ...settings, select: 'ap', objective: 'own', modules: outside, threads: 2 }),
    ).rejects.toThrow('objective "own" failed: a thread is here');
  });

  it('are named on the command line and in a config, beside measures', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i % 3} qid:${i % 4} 1:${(i % 3) + (i % 7) / 5} 2:${i % 5}`);
    const data = fileOf(rows.sort((a, b) => a.split(' ')[1]!.localeCompare(b.split(' ')[1]!)).join('\n'), 'txt');
    const module = fileOf(example + measure);
    const plugin = (...more: string[]) =>
      run(['train', data, '--load', module, '--out', join(directory, 'model.json'), '--force', '--json', ...more]);
    const named = await plugin(
      '--model',
      'linear',
      '--objective',
      'topheavy',
      '--set',
      'epochs=3',
      '--select',
      'clean',
    );
    expect(named.code, named.stderr).toBe(0);
    expect(JSON.parse(named.stdout)).toMatchObject({ objective: 'topheavy', best: { measure: 'clean' } });
    const config = fileOf(
      '{"model": "linear", "objective": "sum(topheavy,squared)", "options": {"epochs": 3}}',
      'json',
    );
    const configured = await plugin('--config', config);
    expect(configured.code, configured.stderr).toBe(0);
    expect(JSON.parse(configured.stdout).objective).toBe('sum(topheavy,squared)');
    const evaluated = await run([
      'evaluate',
      join(directory, 'model.json'),
      data,
      '--load',
      module,
      '-m',
      'clean',
      '--json',
    ]);
    expect(evaluated.code, evaluated.stderr).toBe(0);
  });

  it.each([
    [objective('', "operands: 'any'"), 'export "own" is not an objective: operands must be one of none, measure'],
    [objective('', "name: 'ranknet'"), 'the name "ranknet" is taken by'],
    [objective('', 'title: 1'), 'title must be a text'],
    [objective('', 'parameters: { labels: {} }'), 'parameter labels is one that every objective has'],
    [objective('', 'create: () => ({})'), 'hessian must be positive or none'],
    [objective('', "create: () => ({ hessian: 'none' })"), 'what create returns must have a function start(data)'],
    [
      objective('', "create: () => ({ hessian: 'none', form: { kind: 'odd' } })"),
      'form.kind must be one of pairs, sum, scaled, regularised, debiased, smooth; leave form out',
    ],
    [objective('', "create() { throw new Error('no luck') }"), 'create failed: no luck'],
    [`${objective('')} export const again = { ...own };`, 'the name "own" is taken by "t"'],
  ])('are refused: %s', async (source, message) => {
    const expected = { code: 'plugin-invalid', message: expect.stringContaining(message) };
    await expect(loadLibrary([fileOf(source)])).rejects.toThrow(expect.objectContaining(expected));
  });
});

describe('lambdas that are no finite numbers', () => {
  it.each(['linear', 'trees'])('are reported by objective, query and document, for %s', async model => {
    const settings = { data: separable(12, 5, 3), model, holdout: 0, objective: 'own' };
    const given = (lambdas: string) => trainNamed({ ...settings, modules: [fileOf(objective(lambdas))] });
    await expect(given('lambda.fill(1, 0, view.n); lambda[3] = Number.NaN')).rejects.toMatchObject({
      code: 'lambda-invalid',
      message: expect.stringMatching(
        /^own gives document 4 of query "q\d+" the lambda NaN; it must be a finite number$/,
      ),
    });
    await expect(given('lambda.fill(0, 0, view.n); hessian[0] = Infinity')).rejects.toThrow('the hessian Infinity');
  });
});
