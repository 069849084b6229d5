import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { plain } from '../../data/datasets.js';
import { withoutSignals } from '../../platform.js';
import { temporaryDirectory } from '../../temporary.js';
import { examples, run, start } from '../run.js';

const directory = temporaryDirectory();
let folders = 0;

/** A copy of the examples to write into. */
function copy(): string {
  const folder = join(directory, String(folders++));
  cpSync(examples, folder, { recursive: true });
  return folder;
}

describe('convert-data', () => {
  it.each(['svmlight', 'csv', 'tsv', 'jsonl', 'parquet'])('test.txt to %s and back is the same data', async format => {
    const cwd = copy();
    const { code, stdout } = await run(['convert-data', 'test.txt', 'out.x', '--to', format, '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ schema: 'listwise/convert-data/1', files: ['out.x'], documents: 71 });
    const read = await readDataset(join(cwd, 'out.x'), { format });
    expect(plain(read)).toEqual(plain(await readDataset(join(cwd, 'test.txt'))));
  });

  it('writes SVMlight with everything else beside it', async () => {
    const cwd = copy();
    writeFileSync(
      join(cwd, 'd.csv'),
      'qid,label,label:clicks,document_weight,shown_position,a,b\nq,1,,0.5,1,0,0.1\nq,0,3,1,2,7,0\n',
    );
    const { stdout, stderr } = await run(['convert-data', 'd.csv', 'd.txt', '--sparse'], { cwd });
    expect(stdout).toBe('2 documents written to d.txt, d.txt.weight, d.txt.position, d.txt.clicks\n');
    expect(stderr).toContain('read it again with --labels clicks=d.txt.clicks\n');
    const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
    expect(text('d.txt')).toBe('1 qid:q 2:0.1\n0 qid:q 1:7\n');
    expect([text('d.txt.weight'), text('d.txt.position'), text('d.txt.clicks')]).toEqual([
      '0.5\n1\n',
      '1\n2\n',
      'nan\n3\n',
    ]);
  });

  it('splits by query: parts are disjoint and complete, and the seed decides', async () => {
    const cwd = copy();
    const { stdout } = await run(
      ['convert-data', 'test.txt', 'p.csv.gz', '--split', '0.5,0.25,0.25', '--seed', '3', '--json'],
      { cwd },
    );
    const files = ['p.train.csv.gz', 'p.validate.csv.gz', 'p.test.csv.gz'];
    expect(JSON.parse(stdout)).toMatchObject({ files, documents: 71 });
    const parts = await Promise.all(files.map(file => readDataset(join(cwd, file))));
    expect(parts.map(part => part.queries)).toEqual([6, 3, 3]);
    expect(new Set(parts.flatMap(part => part.queryIds)).size).toBe(12);
    const names = async (shares: string) =>
      JSON.parse((await run(['convert-data', 'test.txt', 'q.txt', '--split', shares, '--json'], { cwd })).stdout).files;
    expect(await names('0.5,0.5')).toEqual(['q.train.txt', 'q.test.txt']);
    expect(await names('0.25,0.25,0.25,0.25')).toEqual(['q.part1.txt', 'q.part2.txt', 'q.part3.txt', 'q.part4.txt']);
  });

  it('applies the flags that say how data is read', async () => {
    const cwd = copy();
    writeFileSync(join(cwd, 'keep'), '3\n1\n');
    const flags = ['--features', 'keep', '--normalise', 'linear'];
    expect((await run(['convert-data', 'test.txt', 'n.csv', ...flags], { cwd })).code).toBe(0);
    const data = await readDataset(join(cwd, 'n.csv'));
    expect(data.featureNames).toEqual(['1', '3']);
    expect([Math.min(...data.column(0)), Math.max(...data.column(0))]).toEqual([0, 1]);
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown directory', ['test.txt', 'none/x.csv'], /its directory does not exist \[file-unwritable\]/],
    ['an unknown directory, Parquet', ['test.txt', 'none/x.parquet'], /\[file-unwritable\]/],
    ['a directory', ['test.txt', 'folder.csv'], /it is a directory \[file-unwritable\]/],
    ['an unknown format', ['test.txt', 'x.docx'], /cannot be inferred from the name "x\.docx".*svmlight, csv/],
    ['a format that is none', ['test.txt', 'x', '--to', 'xml'], /--to/],
    ['compressed Parquet', ['test.txt', 'x.parquet.gz'], /leave the \.gz off/],
    ['shares that do not sum to 1', ['test.txt', 'x.csv', '--split', '0.5,0.4'], /sum to 1/],
    ['shares that are none', ['test.txt', 'x.csv', '--split', 'half'], /found "half"/],
    ['bad data', ['bad.csv', 'x.csv'], /bad\.csv:3:4: .*\[row-ragged\]/],
    ['an id that SVMlight cannot hold', ['blank.csv', 'x.txt'], /query id "a b" holds a blank/],
    ['a stale side file', ['test.txt', 'stale.csv'], /stale\.csv\.weight is there from before/],
  ])('%s: code 2, one line, nothing written', async (_, args, words) => {
    const cwd = copy();
    mkdirSync(join(cwd, 'folder.csv'));
    writeFileSync(join(cwd, 'bad.csv'), 'qid,label,x\nq,1,2\nq,1\n');
    writeFileSync(join(cwd, 'blank.csv'), 'qid,label,x\nq,1,2\na b,1,2\n');
    writeFileSync(join(cwd, 'stale.csv.weight'), '1\n');
    const before = readdirSync(cwd);
    const { code, stdout, stderr } = await run(['convert-data', ...args, '--quiet'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(readdirSync(cwd)).toEqual(before);
  });

  it.skipIf(withoutSignals).each(['SIGTERM', 'SIGINT'] as const)(
    '%s in the middle leaves nothing behind',
    async signal => {
      const cwd = copy();
      const row = ` ${Array.from({ length: 40 }, (_, f) => `${f + 1}:0.${f}123`).join(' ')}\n`;
      writeFileSync(
        join(cwd, 'large.txt'),
        Array.from({ length: 20_000 }, (_, i) => `${i % 3} qid:${i >> 5}${row}`).join(''),
      );
      const before = readdirSync(cwd);
      const child = start(['convert-data', join(cwd, 'large.txt'), join(cwd, 'out.csv.gz'), '--quiet']);
      const ended = new Promise<number | null>(resolve => child.on('exit', code => resolve(code)));
      while (readdirSync(cwd).length === before.length && child.exitCode === null) await wait(2);
      child.kill(signal);
      const code = await ended;
      // Where the machine was quick enough the file is whole; otherwise there is none.
      if (code === 0) expect(readdirSync(cwd)).toEqual([...before, 'out.csv.gz'].sort());
      else {
        expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
        expect(readdirSync(cwd)).toEqual(before);
      }
      expect(existsSync(join(cwd, 'large.txt'))).toBe(true);
    },
  );
});
