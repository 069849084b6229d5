import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const directory = temporaryDirectory();
const generate = (...args: string[]) => run(['generate', ...args], { cwd: directory });

describe('generate', () => {
  it('writes what the library generates, exactly, clicks in a side file', async () => {
    const size = ['--queries', '6', '--docs', '9', '--seed', '3', '--clicks', '--flips', '0.2'];
    const { code, stdout } = await generate('mslr', ...size, '--out', 'a.txt', '--json');
    expect(code).toBe(0);
    const wanted = generateDataset('mslr', { queries: 6, documents: 9, seed: 3, clicks: true, flips: 0.2 });
    expect(JSON.parse(stdout)).toEqual({
      schema: 'listwise/generate/1',
      files: ['a.txt', 'a.txt.clicks'],
      queries: 6,
      documents: wanted.rows,
      features: 136,
    });
    const file = join(directory, 'a.txt');
    const read = await readDataset(file, { labelFiles: [{ name: 'clicks', file: `${file}.clicks` }] });
    expect(read.queryIds).toEqual(wanted.queryIds);
    expect(read.labels).toEqual(wanted.labels);
    for (let f = 0; f < 136; f++) expect(read.column(f)).toEqual(wanted.column(f));
  });

  it('takes what follows --clicks for its value only where it is one', async () => {
    const size = ['--queries', '4', '--docs', '5', '--features', '3', '--json', '--out'];
    const plain = await generate('--clicks', 'cubic', ...size, 'rates.txt');
    expect(JSON.parse(plain.stdout).files).toEqual(['rates.txt', 'rates.txt.clicks']);
    const shown = await generate('cubic', '--clicks', 'positions(eta=2)', ...size, 'shown.txt');
    expect(JSON.parse(shown.stdout).files.sort()).toEqual(['shown.txt', 'shown.txt.clicks', 'shown.txt.position']);
    const file = join(directory, 'shown.txt');
    const read = await readDataset(file, { labelFiles: [{ name: 'clicks', file: `${file}.clicks` }] });
    const wanted = { queries: 4, documents: 5, features: 3, seed: 1, clicks: 'positions(eta=2)' };
    expect(read.positions).toEqual(generateDataset('cubic', wanted).positions);
    const { code, stderr } = await generate('cubic', '--clicks=cascade', ...size, 'other.txt');
    expect([code, stderr]).toEqual([2, expect.stringContaining('clicks are positions')]);
  });

  it('prints a table with the distribution of the grades', async () => {
    const { code, stdout } = await generate('cubic', '--queries', '200', '--features', '4', '--out', 'b.txt');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "file   queries  empty  documents  features  grade 0  grade 1  grade 2  grade 3  grade 4
      ─────  ───────  ─────  ─────────  ────────  ───────  ───────  ───────  ───────  ───────
      b.txt      200      0     10,000         4   52.6 %   31.7 %   12.8 %    1.9 %    0.9 %
      "
    `);
  });

  it('splits by query as convert-data does', async () => {
    const size = ['--queries', '20', '--docs', '5', '--features', '3', '--seed', '2'];
    await generate('net', ...size, '--out', 'whole.txt');
    const { stdout } = await generate('net', ...size, '--out', 'parts.txt', '--split', '0.5,0.3,0.2', '--json');
    const names = ['parts.train.txt', 'parts.validate.txt', 'parts.test.txt'];
    expect(JSON.parse(stdout)).toMatchObject({ files: names, queries: 20, documents: 100 });
    const split = await run(['convert-data', 'whole.txt', 'same.txt', '--split', '0.5,0.3,0.2', '--seed', '2'], {
      cwd: directory,
    });
    expect(split.code).toBe(0);
    for (const name of names) {
      const own = readFileSync(join(directory, name), 'utf8');
      expect(own).toBe(readFileSync(join(directory, name.replace('parts', 'same')), 'utf8'));
    }
  });

  it('goes on where another file ended', async () => {
    const size = ['--docs', '3', '--features', '2'];
    await generate('cubic', ...size, '--queries', '5', '--out', 'five.txt');
    await generate('cubic', ...size, '--queries', '2', '--out', 'first.txt');
    await generate('cubic', ...size, '--queries', '3', '--skip', '2', '--out', 'rest.txt');
    const text = (name: string) => readFileSync(join(directory, name), 'utf8');
    expect(text('first.txt') + text('rest.txt')).toBe(text('five.txt'));
  });

  it.each([
    [['cubic'], 'generate needs --out FILE [usage]'],
    [
      ['cubik', '--out', 'x.txt'],
      'there is no generator "cubik"; did you mean "cubic"? Generators: cubic, net, mslr, td [spec-unknown]',
    ],
    [['mslr', '--features', '7', '--out', 'x.txt'], 'mslr data has 136 features, found 7 [option-invalid]'],
    [
      ['cubic', '--queries', '0', '--out', 'x.txt'],
      '--queries is a whole number of at least 1, found "0" [option-invalid]',
    ],
    [
      ['cubic', '--flips', '2', '--out', 'x.txt'],
      '--flips is a number of at least 0 and at most 1, found "2" [option-invalid]',
    ],
    [['cubic', '--out', 'x.pdf'], 'the format cannot be inferred from the name "x.pdf"'],
    [
      ['cubic', '--out', 'no/such/x.txt'],
      'no/such/x.txt: cannot be written: its directory does not exist [file-unwritable]',
    ],
    [['cubic', '--queries', '2', '--split', '0.4,0.3,0.3', '--out', 'x.txt'], 'too few for the split'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await generate(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(directory).filter(name => name.startsWith('x.') || name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('demo', () => {
  let outcome: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    outcome = await run(['demo', '--queries', '40', '--dir', 'demo', '--json'], { cwd: directory });
  });

  it('generates, trains, evaluates and compares', () => {
    expect(outcome.code).toBe(0);
    const result = JSON.parse(outcome.stdout);
    expect(result).toMatchObject({
      schema: 'listwise/demo/1',
      queries: { train: 20, test: 20 },
      features: 136,
      models: [join('demo', 'trees.json'), join('demo', 'ridge.json')],
    });
    expect(result.systems.map((system: { name: string }) => system.name)).toEqual(['LambdaMART', 'ridge regression']);
    expect(result.pairs).toHaveLength(3);
    expect(readdirSync(join(directory, 'demo')).sort()).toEqual(['ridge.json', 'test.txt', 'train.txt', 'trees.json']);
  });

  it('writes the page and says where', () => {
    const { report, verdict } = JSON.parse(outcome.stdout);
    expect(report).toBe(join(directory, 'listwise-report.html'));
    expect(readFileSync(report, 'utf8')).toContain(`<p class="verdict">${verdict.replaceAll('<', '&#60;')}</p>`);
  });

  it('leaves models that the other commands agree with', async () => {
    const { stdout } = await run(['evaluate', 'demo/trees.json', 'demo/test.txt', '-m', 'ndcg@10', '--json'], {
      cwd: directory,
    });
    const [trees] = JSON.parse(outcome.stdout).systems;
    expect(JSON.parse(stdout).measures[0].mean).toBe(trees.means['ndcg@10']);
  });
});
