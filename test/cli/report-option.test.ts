/** `--report FILE.html` of every command that has it, as a user runs it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '#listwise/report/document.js';
import { temporaryDirectory } from '../temporary.js';
import { run } from './run.js';

const directory = temporaryDirectory();

const page = (name: string) => readFileSync(join(directory, name), 'utf8');
const reportOf = (name: string): Report =>
  JSON.parse(/<script type="application\/json" id="report">(.*?)<\/script>/s.exec(page(name))![1]!);

const out = join(directory, 'model.json');
const space = join(directory, 'space.json');
const search = { rate: { from: 0.001, to: 1, scale: 'log' }, standardise: { choices: [true, false] } };
writeFileSync(space, JSON.stringify({ model: 'linear', options: { epochs: 2 }, search }));
const commands = {
  train: ['train', 'test.txt', '--model', 'linear', '--set', 'epochs=2', '--out', out, '--force'],
  evaluate: ['evaluate', 'linear.json', 'test.txt', '-m', 'ndcg@5'],
  compare: ['compare', '--qrels', 'qrels.txt', '--system', 'a=bm25.run', '--system', 'b=tuned.run', '-m', 'ap'],
  inspect: ['inspect', 'test.txt'],
  'inspect of a model': ['inspect', 'trees.json'],
  analyse: ['analyse', 'importance', 'trees.json', 'test.txt', '--repeats', '2'],
};

describe('--report', () => {
  it.each(Object.entries(commands))('%s writes a page that says how it was made', async (name, words) => {
    const file = join(directory, `${name}.html`);
    const { code, stderr } = await run([...words, '--seed', '7', '--report', file]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`page written to ${file}`);
    const { title, verdict, sections, origin } = reportOf(`${name}.html`);
    expect(title).toMatch(/^listwise: /);
    expect(verdict).toMatch(/^[^.].+\.$/);
    expect(sections.length).toBeGreaterThan(0);
    expect(origin.command).toContain(`listwise ${words[0]} ${words[1]}`);
    expect(origin.seed).toBe(7);
    for (const { fingerprint, queries } of origin.data) {
      expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
      expect(queries).toBe(12);
    }
  });

  it.each([
    commands.inspect,
    commands.train,
    ['cv', 'test.txt', '--model', 'linear', '--set', 'epochs=2', '--folds', '3'],
    [
      'tune',
      'test.txt',
      '--space',
      space,
      '--trials',
      '5',
      '--folds',
      '2',
      '--test',
      'test.txt',
      '--out',
      out,
      '--force',
    ],
    ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny'],
  ])(
    'gives the same bytes for the same inputs where the time is given, whatever the threads: %s',
    async (...command) => {
      const file = join(directory, 'same.html');
      const made = async (threads: string) => {
        const words = [...command, '--report', file, '--threads', threads];
        const { code, stderr } = await run(words, { env: { SOURCE_DATE_EPOCH: '1700000000' } });
        expect(code, stderr).toBe(0);
        return page('same.html').replace(`--threads ${threads}`, '');
      };
      expect(await made('2')).toBe(await made('1'));
      expect(reportOf('same.html').origin.created).toBe('2023-11-14T22:13:20Z');
    },
  );

  it('refuses a time that is no number of seconds', async () => {
    const file = join(directory, 'timeless.html');
    const { code, stderr } = await run([...commands.inspect, '--report', file], { env: { SOURCE_DATE_EPOCH: 'now' } });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('SOURCE_DATE_EPOCH is a number of seconds, found "now"'),
    ]);
  });

  it('refuses a place that cannot be written to, before the work', async () => {
    const { code, stderr } = await run([
      ...commands.train,
      '--report',
      join(directory, 'none', 'page.html'),
      '--out',
      `${out}2`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('[file-unwritable]');
    expect(existsSync(`${out}2`)).toBe(false);
  });
});
