/** The API reference: every export has words and an example, and every example compiles against what is shipped. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { entryPoints, exportsOf } from '../../scripts/api.mjs';
import { temporaryDirectory } from '../temporary.js';

interface Export {
  readonly name: string;
  readonly said: string;
  readonly examples: readonly string[];
}
const root = fileURLToPath(new URL('../..', import.meta.url));
const points: { module: string; page: string; file: string }[] = entryPoints(root);
const all = points.flatMap(({ module, file }) =>
  exportsOf(file).map((one: Export) => ({ ...one, module, title: `${one.name} of ${module}` })),
);

/** What examples take as given, so that they show the one thing that they are about. */
const GIVEN = `
import type { Dataset, Model, System } from 'listwise';
import type { Origin } from 'listwise/report';
import type { SearchSpace, TuningFold } from 'listwise/tuning';
declare global {
  const data: Dataset;
  const validate: Dataset;
  const test: Dataset;
  const model: Model;
  const scores: Float64Array;
  const systems: System[];
  const space: SearchSpace;
  const folds: TuningFold[];
  const origin: Origin;
}
`;

it('has about 70 names in the root, and some on each sub-path', () => {
  const count = (module: string) => all.filter(one => one.module === module).length;
  expect(count('listwise')).toBeGreaterThan(60);
  expect(count('listwise')).toBeLessThan(85);
  for (const { module } of points) expect(count(module), module).toBeGreaterThan(5);
});

it('has words and an example of every export', () => {
  expect(all.filter(({ said }) => said === '').map(({ title }) => title)).toEqual([]);
  expect(all.filter(({ examples }) => examples.length === 0).map(({ title }) => title)).toEqual([]);
});

it('has examples that compile', () => {
  const directory = temporaryDirectory();
  const examples = new Map(all.flatMap(({ title, examples }) => examples.map(text => [text, title])));
  expect(examples.size).toBeGreaterThan(200);
  mkdirSync(join(directory, 'examples'));
  const names = new Map<string, string>();
  for (const [i, [text, title]] of [...examples].entries()) {
    const name = `examples/${i}.ts`;
    names.set(name, title);
    writeFileSync(join(directory, name), `${text}\nexport {};\n`);
  }
  writeFileSync(join(directory, 'given.ts'), GIVEN);
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    paths: Object.fromEntries(points.map(({ module, file }) => [module, [file]])),
  };
  const files = ['given.ts', ...names.keys()];
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const said = () => {
    try {
      return execFileSync(process.execPath, [join(dirname(manifest), 'bin/tsc'), '-p', directory], {
        encoding: 'utf8',
        cwd: directory,
      });
    } catch (error) {
      return String((error as { stdout?: string }).stdout ?? error);
    }
  };
  const errors = said().replaceAll(/^examples\/\d+\.ts/gm, name => `${names.get(name)} (${name})`);
  expect(errors).toBe('');
}, 120_000);
