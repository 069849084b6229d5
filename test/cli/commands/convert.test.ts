import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const folder = temporaryDirectory();
const at = (name: string) => join(folder, name);
const written = (name: string) => readFileSync(at(name), 'utf8');

describe('convert', () => {
  it('there and back scores the same', async () => {
    expect(await run(['convert', 'trees.json', at('trees.txt'), '--to', 'lightgbm'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `listwise written as lightgbm: ${at('trees.txt')}\n`,
    });
    const { stdout } = await run(['convert', at('trees.txt'), at('back.json'), '--to', 'listwise', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      schema: 'listwise/convert/1',
      from: 'lightgbm',
      to: 'listwise',
      file: at('back.json'),
      files: [at('back.json')],
      losses: [],
      notes: [expect.stringContaining('from 1 to 3')],
    });
    const scores = async (model: string) => (await run(['score', model, 'test.txt'])).stdout;
    expect(await scores(at('back.json'))).toBe(await scores('trees.json'));
    expect(await scores('trees.json')).not.toBe('');
  });

  it('refuses what would be lost, and writes it with --lossy', async () => {
    const args = ['convert', 'trees.json', at('lost.xml'), '--to', 'ranklib'];
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/missing values count as 0.*--lossy.*\[conversion-lossy\]\n$/),
    ]);
    expect(existsSync(at('lost.xml'))).toBe(false);
    const { stdout } = await run([...args, '--lossy', '--json']);
    expect(JSON.parse(stdout).losses).toEqual([expect.stringContaining('missing values count as 0')]);
    expect(written('lost.xml')).toMatch(/^## LambdaMART\n/);
  });

  it('writes what engines take, features in the order of their set', async () => {
    writeFileSync(
      at('set.json'),
      JSON.stringify({
        featureset: { name: 's', features: [{ name: '3' }, { name: '1' }, { name: '2' }, { name: 'x' }] },
      }),
    );
    const flags = ['--features', at('set.json'), '--offset', 'auto', '--body', '--name', 'ranker', '--lossy'];
    expect((await run(['convert', 'trees.json', at('body.json'), '--to', 'model/ranklib', ...flags])).code).toBe(0);
    const { model } = JSON.parse(written('body.json'));
    expect([model.name, model.model.type]).toEqual(['ranker', 'model/ranklib']);
    // The base as a tree of one leaf, then feature "1", which is the second of the set.
    expect(model.model.definition).toMatch(/<tree id="1" weight="1.0">\s*<split>\s*<output>1<\/output>/);
    expect(model.model.definition).toMatch(/<tree id="2" weight="1.0">\s*<split>\s*<feature>2<\/feature>/);
  });

  it('tells the format by extension where that is enough', async () => {
    expect((await run(['convert', 'linear.json', '--out', at('m.mjs')])).code).toBe(0);
    expect(existsSync(at('m.d.mts'))).toBe(true);
    expect((await run(['convert', 'linear.json', at('m.onnx'), '--quiet'])).code).toBe(0);
    expect((await run(['convert', at('m.onnx'), at('m.json'), '--to', 'native', '--quiet'])).code).toBe(0);
    expect((await run(['convert', 'linear.json', at('m.txt')])).stderr).toMatch(
      /"m.txt" does not tell the format.*\[usage\]/,
    );
  });

  it.each<[string[], RegExp]>([
    [['trees.json'], /name the file to write once.*\[usage\]/],
    [['none.json', 'a', '--to', 'onnx'], /none.json: no such model file \[file-not-found\]/],
    [['trees.json', 'a', '--to', 'xgb'], /no format "xgb".*Formats: listwise, lightgbm/],
    [['linear.json', 'a', '--to', 'lightgbm'], /cannot hold a linear model \[model-unsupported\]/],
    [['trees.json', 'a', '--to', 'onnx', '--body'], /engines do not take onnx/],
    [
      ['trees.json', 'a', '--to', 'onnx', '--name', 'x'],
      /--name needs --body or --engine NAME@VERSION: it names the model there/,
    ],
    [['trees.json', 'a', '--to', 'onnx', '--features', 'test.txt'], /the feature set lacks "1", "2", "3"/],
    [['trees.json', '/none/a', '--to', 'onnx'], /\/none\/a: its directory does not exist .*\[file-unwritable\]/],
  ])('%j', async (args, message) => {
    const { code, stderr, stdout } = await run(['convert', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
