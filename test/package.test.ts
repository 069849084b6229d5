/** What a user installs: few packages, no code made from strings, and nothing that points outside. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { strayPointers } from '../scripts/package.mjs';
import { examples } from './cli/run.js';
import { temporaryDirectory } from './temporary.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = temporaryDirectory();

interface Locked {
  dependencies?: Record<string, string>;
  resolved?: string;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

it('installs at most 8 packages, itself included', () => {
  const installed = new Set<string>();
  const visit = (name: string) => {
    if (installed.has(name)) return;
    installed.add(name);
    for (const needed of Object.keys(packages[name]!.dependencies ?? {})) visit(`node_modules/${needed}`);
  };
  visit('');
  expect(installed).toContain('node_modules/zod');
  expect(installed.size).toBeLessThanOrEqual(8);
});

it('records no addresses of downloads', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

describe('without code made from strings', () => {
  const node = (...args: string[]) =>
    spawnSync(process.execPath, ['--disallow-code-generation-from-strings', ...args], {
      cwd: directory,
      encoding: 'utf8',
    });

  it('is a rule that holds in these processes', () => {
    expect(node('-e', 'new Function("")').stderr).toContain('Code generation from strings disallowed');
  });

  const main = join(root, 'dist/cli/main.js');
  const test = join(examples, 'test.txt');
  it.each([
    ['train', ['train', test, '--set', 'trees=3', '--out', 'model.json']],
    ['a description', ['inspect', join(examples, 'products.csv'), '--describe', 'data.json']],
    ['a RankLib model', ['convert', join(examples, 'trees.json'), 'trees.xml', '--to', 'ranklib', '--lossy']],
    ['an ONNX model', ['convert', join(examples, 'trees.json'), 'trees.onnx', '--to', 'onnx']],
    [
      'tune',
      ['tune', test, '--space', join(root, 'configs/spaces/linear.json'), '--trials', '1', '--folds', '2', '--force'],
    ],
  ])('the command line works: %s', (_, args) => {
    const { status, stderr } = node(main, ...args);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('the library works', () => {
    const file = join(directory, 'use.mjs');
    const library = JSON.stringify(new URL('../dist/index.js', import.meta.url).href);
    writeFileSync(
      file,
      `import { evaluate, generateDataset, parseMeasure, scoreData, train } from ${library};
const data = generateDataset('mslr', { queries: 20, seed: 1 });
const { model } = await train({ data, model: 'trees', objective: 'lambdarank(ndcg@10)', options: { trees: 3 } });
console.log(evaluate(data, scoreData(model, data), [parseMeasure('ndcg@10')])[0].mean > 0);`,
    );
    const { stdout, stderr } = node(file);
    expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
  });
});

describe('what points outside of the package is found', () => {
  const found = (name: string, text: string) =>
    strayPointers(new Map(Object.entries({ [name]: text, 'pages/b.md': '' })));

  it.each([
    ['pages/a.md', '[there](b.md#part), [folder](../pages), [page](https://example.org/a)', []],
    ['pages/a.md', '[gone](../gone/a.ts)', ['pages/a.md points to ../gone/a.ts, which is not in the package']],
    ['dist/a.js', 'import{a}from"../../a.js"', ['dist/a.js points to ../../a.js, which is not in the package']],
    [
      'dist/a.js',
      'new URL("./w\\\nork.js",import.meta.url)',
      ['dist/a.js points to ./work.js, which is not in the package'],
    ],
    ['dist/a.js', '//# sourceMappingURL=a.js.map', ['dist/a.js points to a.js.map, which is not in the package']],
    ['dist/a.d.ts', "import('./b.js').B", ['dist/a.d.ts points to ./b.js, which is not in the package']],
  ])('in %s: %s', (name, text, expected) => {
    expect(found(name, text)).toEqual(expected);
  });
});
