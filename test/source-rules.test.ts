/** Rules of the house that the compiler and the linter do not check: where things may stand in the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files below a folder, their names with slashes. */
const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
    .map(file => ({ file: file.split(sep).join('/'), text: readFileSync(join(root, folder, file), 'utf8') }));

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
const source = filesOf('src').map(({ file, text }) => ({ file, text: withoutComments(text) }));
const filesWith = (pattern: RegExp, folder = '') =>
  source.filter(({ file, text }) => file.startsWith(folder) && pattern.test(text)).map(({ file }) => file);

it('finds the source', () => {
  expect(source.length).toBeGreaterThan(400);
  expect(filesWith(/export/).length).toBeGreaterThan(400);
});

it('starts threads in one place', () => expect(filesWith(/new Worker\(/)).toEqual(['threads/crew.ts']));

it('has the process in the command line, and where a file, a heartbeat, stdin or a count of memory needs it', () =>
  expect(
    filesWith(/(?<![.\w])process\./)
      .filter(file => !file.startsWith('cli/'))
      .sort(),
  ).toEqual([
    'data/memory-limit.ts',
    'io/process-exists.ts',
    'io/standard-input.ts',
    'io/temporary-folder.ts',
    'runs/heartbeat.ts',
    'serve/server.ts',
  ]));

it('names places that only some systems have where others are tried after them', () =>
  expect(filesWith(/['"`]\/(tmp|proc|dev|usr|bin|etc|var)\//)).toEqual([
    'io/address-space.ts',
    'io/process-exists.ts',
    'reproduce/python.ts',
  ]));

it('has no values of options that are cast in the command line', () =>
  expect(filesWith(/ as (string|number|boolean|never|unknown|any)\b/, 'cli/')).toEqual([]));

it('has no command that imports another', () => {
  expect(filesWith(/from '\.\/|from '[./]*commands\//, 'cli/commands/')).toEqual([]);
  expect(filesWith(/from '[./]*commands\//, 'cli/')).toEqual([]);
});

it('has kernels and data that know nothing of measures and training, and models nothing of training', () => {
  const above = /from '(\.\.\/)+(measures|objectives|models|training|tuning|analysis|report|cli|reproduce)\//;
  expect(filesWith(above, 'kernels/')).toEqual([]);
  expect(filesWith(above, 'data/')).toEqual([]);
  expect(filesWith(/from '(\.\.\/)+(training|tuning|analysis|report|cli|reproduce)\//, 'models/')).toEqual([]);
});

it('has comments within 120 columns', () => {
  const long = ['src', 'test', 'bench', 'scripts'].flatMap(folder =>
    filesOf(folder).flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter(line => /^\s*(\/\/|\/\*|\*)/.test(line) && [...line].length > 120)
        .map(line => `${folder}/${file}: ${line}`),
    ),
  );
  expect(long).toEqual([]);
});

it('spreads no literal', () => {
  const literal = /\.\.\.(\{[^{}?]*\}|\[[^[\]?]*\])(?=\s*[,)\]}])/;
  expect('{ ...{ data, threads } }').toMatch(literal);
  expect(filesWith(literal)).toEqual([]);
});
