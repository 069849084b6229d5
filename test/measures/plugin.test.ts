/** Measures of the user's: from TypeScript, from a module, and the recipe in docs/adding-a-measure.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { swapChange } from '#listwise/measures/forms/swap.js';
import { choiceParameter, numberParameter } from '#listwise/measures/index.js';
import { defineMeasure, relevanceParameter } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { loadMeasures } from '#listwise/measures/plugin.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';
import { ranked, swapScores, viewOf } from './lists.js';

const directory = temporaryDirectory();

let modules = 0;
function moduleOf(source: string, extension = 'mjs'): string {
  const file = join(directory, `${modules++}.${extension}`);
  writeFileSync(file, source);
  return file;
}

/** The last relevant document's share of the list: no swap form, and an aggregate of its own. */
const lastRelevant = defineMeasure({
  name: 'last',
  title: 'Depth of the last relevant document',
  description: '1 - rank of the last relevant document / n.',
  citation: 'a test',
  cutoff: 'none',
  range: [0, 1],
  parameters: { rel: relevanceParameter },
  create: ({ rel }, { labels }) => ({
    aggregate: { name: 'mean of squares', of: value => value * value, finish: Math.sqrt },
    value(view) {
      const last = view
        .ranked(labels)
        .subarray(0, view.n)
        .findLastIndex(label => label >= rel);
      return last < 0 ? Number.NaN : 1 - (last + 1) / view.n;
    },
  }),
});

describe('a measure without a swap form', () => {
  const measure = parseMeasure('last(rel=2)', { more: [lastRelevant] });

  it('parses and prints like any other', () => expect(measure.spec).toBe('last(rel=2)'));

  it('has the swapped list evaluated', () => {
    const list = ranked([2, 0, 3, 1]);
    const view = viewOf(list);
    const change = swapChange(measure, view)!;
    for (let b = 1; b < 4; b++) {
      for (let a = 0; a < b; a++) {
        const after = measure.value(viewOf(swapScores(list, a, b))) ** 2;
        expect(change(a, b)).toBeCloseTo(after - measure.value(view) ** 2, 14);
      }
    }
    expect(measure.value(view), 'the view itself is left as it was').toBe(1 - 3 / 4);
    expect(swapChange(measure, viewOf(ranked([0, 1])))).toBeUndefined();
  });
});

describe('docs/adding-a-measure.md', () => {
  const page = readFileSync(new URL('../../docs/adding-a-measure.md', import.meta.url), 'utf8');
  const example = /```js\n(.*?)```/s.exec(page)![1]!;

  it('shows a module that loads and evaluates', async () => {
    const more = await loadMeasures([moduleOf(example)]);
    expect(more.map(({ name }) => name)).toEqual(['clean']);
    const measure = parseMeasure('clean@4', { more });
    expect(measure.value(viewOf(ranked([1, 0, 3])))).toBe(2 / 4);
    expect(swapChange(measure, viewOf(ranked([0, 0, 0, 0, 2])))!(0, 4)).toBe(1 / 4);
  });

  it('gives a swap form with what the package exports', () => {
    const create = /```ts\n(.*?)```/s.exec(page)![1]!;
    const module = moduleOf(`
      import { noDiscount, relevanceGain, separable } from '${new URL('../../dist/measures/index.js', import.meta.url).href}';
      ${example.replace(/create: .*\}\),/s, create)}`);
    return loadMeasures([module]).then(more => {
      const list = viewOf(ranked([1, 0, 3]));
      const measure = parseMeasure('clean@2', { more });
      expect(measure.value(list)).toBe(1 / 2);
      expect(measure.swap.form).toBe('separable');
      expect(swapChange(measure, list)!(1, 2)).toBe(1 / 2);
    });
  });

  it('is taken by the command line', async () => {
    const data = moduleOf('1 qid:1 1:1\n0 qid:1 1:2\n', 'txt');
    const scores = moduleOf('2\n1\n', 'txt');
    const evaluating = (module: string) =>
      run(['evaluate', '--scores', scores, data, '--load', module, '-m', 'clean@2', '--json']);
    const { code, stdout, stderr } = await evaluating(moduleOf(example));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).measures).toMatchObject([{ measure: 'clean@2', mean: 0.5 }]);
    const refused = await evaluating(moduleOf('export const five = 5;'));
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr).error.code).toBe('plugin-invalid');
  });

  it('is refused when its name is taken', async () => {
    const twice = `${example.replaceAll(/^ {3}/gm, '')}\nexport const again = { ...clean };`;
    await expect(loadMeasures([moduleOf(twice)])).rejects.toThrow('the name "clean" is taken');
  });
});

describe('modules that are refused', () => {
  const record = (change: string) =>
    `export const m = { name: 'm', title: 't', description: 'd', citation: 'c', cutoff: 'none', range: [0, 1],
      parameters: {}, create: () => ({ value: () => 1 }), ${change} };`;

  it('a whole record is taken', async () => {
    await expect(loadMeasures([moduleOf(record(''))])).resolves.toHaveLength(1);
  });

  it.each([
    ['', 'the module exports nothing'],
    [
      'export const five = 5;',
      'export "five" is not a measure: expected an object made by defineMeasure, found number',
    ],
    ['export const =', 'the module cannot be loaded'],
    ['throw new Error("no luck")', 'the module cannot be loaded: no luck'],
    [record('title: 3'), 'title must be a text'],
    [record("name: 'a b'"), 'name must be a letter followed by'],
    [record("name: 'ndcg'"), 'the name "ndcg" is taken by "Normalised discounted cumulative gain"'],
    [record("name: 'map'"), 'the name "map" is taken by "Average precision"'],
    [record("aliases: ['ap']"), 'the name "ap" is taken by "Average precision"'],
    [record("cutoff: 'maybe'"), 'cutoff must be none, optional or required'],
    [record('range: [1]'), 'range must be [least, largest]'],
    [record('parameters: 1'), 'parameters must be an object'],
    [record('parameters: { empty: {} }'), 'parameter empty is one that every measure has'],
    [record('parameters: { k: {} }'), 'parameter k must have default, description'],
    [record('aliases: [1]'), 'aliases must be texts'],
    [record('create: 1'), 'create must be a function'],
    [record('create() { throw new Error("no luck") }'), 'create failed: no luck'],
    [record('create: () => ({})'), 'what create returns must have a function value(view)'],
    [
      record("create: () => ({ value: () => 1, swap: { form: 'x' } })"),
      'swap.form must be separable, tables or function',
    ],
  ])('%s', async (source, message) => {
    const expected = { code: 'plugin-invalid', message: expect.stringContaining(message) };
    await expect(loadMeasures([moduleOf(source)])).rejects.toThrow(expect.objectContaining(expected));
  });

  it('a file that is not there, or not JavaScript', async () => {
    await expect(loadMeasures([join(directory, 'none.mjs')])).rejects.toThrow('there is no such file');
    await expect(loadMeasures([moduleOf('', 'ts')])).rejects.toThrow(
      'a module of measures and objectives is a .js or .mjs file',
    );
  });
});

describe('a measure that fails while it evaluates', () => {
  const record = (body: string) =>
    `export const m = { name: 'm', title: 't', description: 'd', citation: 'c', cutoff: 'none', range: [0, 1],
      parameters: {}, create: () => (${body}) };`;
  const view = viewOf(ranked([2, 0, 1]));
  const measureOf = async (body: string) => {
    const file = moduleOf(record(body));
    return { file, measure: parseMeasure('m', { more: await loadMeasures([file]) }) };
  };

  it.each([
    ['value', "{ value() { throw new Error('no\\n luck') } }", 'no luck'],
    ['a value that is no number', '{ value: () => undefined }', 'value(view) must be a number, found undefined'],
    ['a text that is thrown', "{ value() { throw 'no luck' } }", 'no luck'],
  ])('%s', async (_, body, reason) => {
    const { file, measure } = await measureOf(body);
    const expected = { code: 'plugin-invalid', message: `${file}: measure "m" failed: ${reason}` };
    expect(() => measure.value(view)).toThrow(expect.objectContaining(expected));
    expect(() => swapChange(measure, view)).toThrow(expect.objectContaining(expected));
  });

  it.each([
    "{ form: 'separable', fill() { throw new Error('no luck') } }",
    "{ form: 'tables', fill() { throw new Error('no luck') } }",
    "{ form: 'function', begin() { throw new Error('no luck') } }",
    "{ form: 'function', begin: () => () => { throw new Error('no luck') } }",
  ])('swap %s', async swap => {
    const { measure } = await measureOf(`{ value: () => 1, swap: ${swap} }`);
    expect(() => swapChange(measure, view)?.(0, 1)).toThrow('measure "m" failed: no luck');
  });

  it('is one line and code 2 on the command line', async () => {
    const module = moduleOf(record("{ value() { throw new Error('no luck') } }"));
    const data = moduleOf('1 qid:1 1:1\n0 qid:1 1:2\n', 'txt');
    const scores = moduleOf('2\n1\n', 'txt');
    const { code, stdout, stderr } = await run(['evaluate', '--scores', scores, data, '--load', module, '-m', 'm']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`listwise: ${module}: measure "m" failed: no luck [plugin-invalid]\n`);
  });
});

it('a measure of the user has parameters of its own, made with what the package exports', () => {
  const share = defineMeasure({
    ...lastRelevant,
    name: 'share',
    parameters: {
      above: numberParameter({ default: 0, description: 'Labels above this count.' }),
      of: choiceParameter({ choices: ['list', 'relevant'], default: 'list', description: 'What it is a share of.' }),
    },
    create: ({ above }, { labels }) => ({
      value: view => view.ranked(labels).filter((label, r) => r < view.n && label > above).length / view.n,
    }),
  });
  expect(parseMeasure('share(above=1,of=list)', { more: [share] }).spec).toBe('share(above=1)');
  expect(() => parseMeasure('share(of=all)', { more: [share] })).toThrow('of is list, relevant');
});
