/** What all analyses have in common. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { analyses } from '#listwise/cli/declarations/analyses/all.js';
import { withoutSignals } from '../../platform.js';
import { temporaryDirectory } from '../../temporary.js';
import { examples, run, start } from '../run.js';

/** A command line of each that runs in docs/examples, by its row in docs/commands/analyse.md. */
const lines: Readonly<Record<string, readonly string[]>> = {
  importance: ['importance', 'trees.json', 'test.txt', '-m', 'ndcg@3'],
  shap: ['shap', 'trees.json', 'test.txt', '--background', 'test.txt', '--interactions'],
  dependence: ['dependence', 'trees.json', 'test.txt', '--feature', '1'],
  tree: ['tree', 'trees.json'],
  optimality: ['optimality', 'linear.json', 'test.txt', '--weights', '2'],
  field: ['field', 'test.txt'],
  informativeness: ['informativeness', 'test.txt', '--system', 'a=linear.json'],
  approximation: ['approximation', 'linear.json', 'test.txt'],
  'approximation along training': ['approximation', 'test.txt', '--set', 'epochs=2'],
  queries: ['queries', 'test.txt', '--system', 'a=linear.json', '--system', 'b=trees.json'],
  why: ['why', 'linear.json', 'trees.json', 'test.txt', '--query', '9'],
  'why of two documents': ['why', 'trees.json', 'test.txt', '--query', '9', '--document', 'd91', '--document', 'd94'],
  advise: ['advise', 'test.txt', '--test-measure', 'p@3', '--set', 'epochs=2', '--seeds', '1'],
};

/** The names in back-quotes of the last two columns of the table. */
const documented = new Map(
  readFileSync(new URL('../../../docs/commands/analyse.md', import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').slice(1, 4))
    .map(([name, ...columns]) => [
      name!.replaceAll('`', '').trim(),
      columns.map(column => Array.from(column.matchAll(/`(\w+)`/g), match => match[1]!)),
    ]),
);

it('every analysis has a command line here', () => {
  expect(new Set(Object.values(lines).map(([name]) => name))).toEqual(
    new Set(analyses.members.map(({ name }) => name)),
  );
  expect([...documented.keys()]).toEqual(Object.keys(lines));
});

describe.each(Object.entries(lines))('analyse %s', (row, line) => {
  it('prints the JSON object of the docs, to a file too', async () => {
    const out = join(temporaryDirectory(), 'out.json');
    const { code, stdout, stderr } = await run(['analyse', ...line, '--json', '--quiet', '--out', out]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(out, 'utf8')).toBe(stdout);
    const { schema, analysis, results, ...rest } = JSON.parse(stdout);
    expect([schema, analysis]).toEqual(['listwise/analyse/1', line[0]]);
    const rows = results as Record<string, unknown>[];
    expect([Object.keys(rest), [...new Set(rows.flatMap(Object.keys))]]).toEqual(documented.get(row));
  });
});

describe('data that says nothing', () => {
  const folder = temporaryDirectory();
  const file = (name: string, change: (line: string) => string) => {
    const path = join(folder, name);
    const text = readFileSync(join(examples, 'test.txt'), 'utf8');
    writeFileSync(path, text.trim().split('\n').map(change).join('\n'));
    return path;
  };
  const unlabelled = file('unlabelled.txt', line => line.replace(/^\d+/, '0'));
  const alike = file('alike.txt', line => line.replace(/ 1:.*?(?=#|$)/, ' 1:1 2:1 3:1 '));
  const first = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await run(['analyse', ...args, '--quiet']);
    return { code, said: code === 0 ? stdout.split('\n')[0] : stderr };
  };

  it.each([
    [
      'no relevant document',
      ['optimality', 'linear.json', unlabelled],
      'Nothing can be said of ndcg@10 (0.0000): none of 4590 alterations changes it at all.',
    ],
    [
      'documents that are all alike',
      ['optimality', 'linear.json', alike, '-m', 'ap', '--count-equal'],
      'Nothing can be said of ap (0.5967): none of 4590 alterations changes it at all.',
    ],
    [
      'no relevant document',
      ['informativeness', unlabelled, '--system', 'a=linear.json'],
      'No list holds a relevant document: there is nothing to infer.',
    ],
    [
      'no relevant document',
      ['queries', unlabelled, '--system', 'a=linear.json'],
      'a: no query has a relevant document, so that no order could be better.',
    ],
    [
      'no relevant document',
      ['why', 'linear.json', 'trees.json', unlabelled, '--query', '9'],
      'Query 9, from linear.json to trees.json: ndcg@10 is undefined here; 2 of 6 documents change rank; most is moved by feature 1.',
    ],
  ])('%s: %j says so', async (_, args, said) => {
    expect(await first(args)).toEqual({ code: 0, said });
  });

  it.each([
    [['approximation', 'linear.json', unlabelled], 'ndcg is undefined for every query', 'data-empty'],
    [['approximation', unlabelled], 'approx(ndcg) finds nothing to learn', 'training-without-lambda'],
    [
      ['field', unlabelled],
      'no query of at most 100 documents has two with different labels',
      'training-without-lambda',
    ],
    [
      ['advise', unlabelled, '--test-measure', 'p@3'],
      '3 validation queries cannot tell models apart',
      'selection-blind',
    ],
    [
      ['optimality', 'linear.json', 'test.txt', '--epsilon', '1e-9'],
      'random directions are too many',
      'option-invalid',
    ],
    [
      ['optimality', 'linear.json', 'test.txt', '--threshold', '-1'],
      '--threshold is a number of at least 0',
      'option-invalid',
    ],
    [
      ['queries', 'test.txt', '--system', 'a=linear.json', '--system', 'a=trees.json'],
      'two systems are named "a"',
      'option-invalid',
    ],
    [['field', 'test.txt', '--out', 'test.txt/x'], 'test.txt/x: its directory is a file', 'file-unwritable'],
    [['field', 'test.txt', '--out', '.'], '.: it is a directory', 'file-unwritable'],
  ])('%j is refused in one line', async (args, message, code) => {
    const { code: exit, said } = await first(args);
    expect(exit).toBe(2);
    expect(said).toMatch(/^listwise: [^\n]+\n$/);
    expect(said).toContain(message);
    expect(said).toContain(`[${code}]`);
  });
});

it.skipIf(withoutSignals)(
  'Ctrl-C ends an analysis that trains with the shell\u2019s code and nothing written',
  async () => {
    const folder = temporaryDirectory();
    const files = ['--out', join(folder, 'out.txt'), '--report', join(folder, 'page.html')];
    const config = join(temporaryDirectory(), 'config.json');
    writeFileSync(config, JSON.stringify({ model: 'linear', select: 'ap', options: { epochs: 1e6, patience: 0 } }));
    const child = start(['analyse', 'approximation', 'test.txt', '--config', config, ...files]);
    await once(child.stderr, 'data'); // that `select` is not used: it is under way
    await setTimeout(300); // training, most likely
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
  },
);
