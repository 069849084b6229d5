import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { examples, main } from './run.js';

it.each([
  ['evaluate', 'trees.json', 'test.txt'],
  ['train', 'test.txt', '--out', 'never.json'],
])('%s without WebAssembly says what is missing', (...args) => {
  const words = ['--jitless', main, ...args];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: examples, encoding: 'utf8' });
  expect(stderr).toMatch(/no WebAssembly.*without --jitless \[dependency-missing\]/);
  expect(stderr).not.toContain('internal failure');
  expect(status).toBe(2);
});
