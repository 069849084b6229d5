/** The command line on several ranks. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';
import { childrenOf, gone, listwise, mpirun, root, start, unlessThere, withoutOpenMpi } from './mpirun.js';

describe.skipIf(withoutOpenMpi !== undefined)(`train on several ranks${unlessThere(withoutOpenMpi)}`, () => {
  const cwd = temporaryDirectory();
  const words = ['train', 'data.txt', '--threads', '1', '--set', 'leaves=6'];

  beforeAll(async () => {
    await listwise(0, ['generate', 'cubic', '--queries', '300', '--docs', '8', '--out', 'data.txt'], { cwd });
  });

  it('goes on with another number of ranks to the model of one process', async () => {
    const kept = ['--checkpoint', 'kept'];
    const first = await listwise(3, [...words, '--set', 'trees=3', ...kept, '--out', 'first.json'], { cwd });
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/3 ranks \(Open MPI/);
    await listwise(2, [...words, '--set', 'trees=6', ...kept, '--resume', '--out', 'ranks.json'], { cwd });
    await listwise(0, [...words, '--set', 'trees=6', '--out', 'one.json'], { cwd });
    expect(readFileSync(join(cwd, 'ranks.json'), 'utf8')).toBe(readFileSync(join(cwd, 'one.json'), 'utf8'));
  }, 240_000);

  it('records the data of all ranks, and what the lambdas of all of it do', async () => {
    const more = ['--set', 'trees=3', '--set', 'diagnostics=true', '--json'];
    const one = await listwise(0, [...words, ...more, '--dir', 'one-run'], { cwd });
    expect(one.code).toBe(0);
    await listwise(3, [...words, ...more, '--dir', 'ranks-run'], { cwd });
    const [wanted, found] = ['one-run', 'ranks-run'].map(run => {
      const lines = readFileSync(join(cwd, run, 'log.jsonl'), 'utf8')
        .trim()
        .split('\n');
      const { data } = JSON.parse(readFileSync(join(cwd, run, 'run.json'), 'utf8'));
      return { data, diagnostics: lines.map(line => JSON.parse(line).diagnostics) };
    });
    expect(wanted!.diagnostics[0].topLabels.length).toBeGreaterThan(1);
    expect(found).toEqual(wanted);
  }, 240_000);

  it.each(['numbers', 'levels', 'positions'])(
    'trains on tables of %s as one process',
    async kind => {
      for (const part of [0, 1, 2]) {
        const rows = Array.from({ length: 400 }, (_, i) => {
          const value = (i * 37 + part * 11) % 101;
          // Levels are numbered over all files; positions count from 0, as the first one alone tells.
          const level = `level ${(i % 3) + (part === 2 ? 1 : 0)}`;
          const other = { numbers: String(i % 7), levels: level, positions: String((i % 8) + 2 * part) }[kind];
          return `${part}-${Math.floor(i / 8)},${value % 3},${value},${other}`;
        });
        const header = `query,label,size,${kind === 'positions' ? 'position' : 'other'}`;
        writeFileSync(join(cwd, `${kind}-${part}.csv`), [header, ...rows, ''].join('\n'));
      }
      const given =
        {
          levels: ['--category', 'other'],
          positions: ['--position-col', 'position', '--objective', 'debias(ranknet)'],
        }[kind] ?? [];
      const asked = ['train', `${kind}-*.csv`, ...given, '--threads', '1', '--set', 'trees=4', '--set', 'leaves=6'];
      const one = await listwise(0, [...asked, '--out', `${kind}-1.json`], { cwd });
      expect(one.code).toBe(0);
      const two = await listwise(2, [...asked, '--out', `${kind}-2.json`], { cwd });
      expect(two.code).toBe(0);
      const text = (ranks: number) => readFileSync(join(cwd, `${kind}-${ranks}.json`), 'utf8');
      expect(text(2)).toBe(text(1));
    },
    240_000,
  );

  it('deals no databases, of which one process takes one', async () => {
    for (const name of ['a', 'b']) writeFileSync(join(cwd, `${name}.duckdb`), 'none');
    const { stderr } = await listwise(2, ['train', '*.duckdb', '--out', 'x.json'], { cwd });
    expect(stderr).toContain('one database at a time, found 2 files');
  }, 240_000);

  it('refuses ranks that see other contents under one name', async () => {
    const main = `${root}/dist/cli/main.js`;
    const rows = Array.from({ length: 600 }, (_, i) => `${i % 3} qid:${Math.floor(i / 6)} 1:${i % 7}`);
    for (const [folder, first] of [
      ['here', '0'],
      ['there', '1'],
    ] as const) {
      mkdirSync(join(cwd, folder));
      writeFileSync(join(cwd, folder, 'same.txt'), `${[first + rows[0]!.slice(1), ...rows.slice(1)].join('\n')}\n`);
    }
    const asked = [process.execPath, main, 'train', 'same.txt', '--out', 'x.json'];
    const other = [':', '-np', '1', '--wdir', join(cwd, 'there'), ...asked];
    const { stderr, code } = await mpirun(1, [main, 'train', 'same.txt', '--out', 'x.json', ...other], {
      cwd: join(cwd, 'here'),
    });
    expect(stderr).toMatch(/rank 1 and rank 0 differ in the files of the data: /);
    expect(code).toBe(2);
  }, 240_000);

  it('refuses ranks that were given different options, by name', async () => {
    const main = `${root}/dist/cli/main.js`;
    const other = [':', '-np', '1', process.execPath, main, ...words, '--seed', '2', '--out', 'x.json'];
    const { stderr, code } = await mpirun(1, [main, ...words, '--out', 'x.json', ...other], { cwd });
    expect(stderr).toMatch(/listwise: rank 1 and rank 0 differ in the command line: .*--seed 2.* \[ranks-differ\]/);
    expect(code).toBe(2);
  }, 240_000);

  it('refuses a query that two ranks read, by name', async () => {
    const row = (query: string, value: number) => `${value % 3} qid:${query} 1:${value}\n`;
    for (const part of ['a', 'b']) {
      writeFileSync(join(cwd, `${part}.part.txt`), [1, 2, 3].map(i => row(`${part}${i}`, i)).join('') + row('both', 1));
    }
    const { stderr } = await listwise(2, ['train', '*.part.txt', '--out', 'x.json'], { cwd });
    expect(stderr).toMatch(/query "both" is in what rank 0 reads and in what rank 1 reads/);
  }, 240_000);

  it('refuses what does not train on several ranks', async () => {
    const other = await listwise(2, ['evaluate', 'data.txt'], { cwd });
    expect(other.stderr).toContain('listwise: listwise evaluate runs in one process');
  }, 240_000);

  it.each([2, 3])(
    'hands over as many bytes a tree as the docs say, on %i ranks',
    async ranks => {
      const { stdout } = await mpirun(ranks, [`${root}/test/ranks/programs/bytes.mjs`]);
      const lines = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      expect(lines.length).toBe(ranks);
      for (const { found, due } of lines) expect(found).toBe(due);
    },
    240_000,
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends on all ranks soon after %s to one',
    async signal => {
      const started = start(
        2,
        [
          `${root}/dist/cli/main.js`,
          ...words,
          '--set',
          'trees=100000',
          '--set',
          'patience=0',
          '--checkpoint',
          signal,
          '--out',
          `${signal}.json`,
        ],
        { cwd },
      );
      while (!existsSync(join(cwd, signal, 'checkpoint.json'))) await wait(100);
      const ranks = childrenOf(started.pid);
      expect(ranks.length).toBe(2);
      process.kill(ranks[1]!, signal);
      const { code, stderr } = await started.ended;
      for (const rank of ranks) await gone(rank);
      if (signal === 'SIGKILL') {
        expect(code).toBe(137);
        expect(stderr).toMatch(/rank 1 .*signal 9|signal 9.*rank 1/s);
      } else {
        expect(code).toBe(143);
        expect(stderr).toContain('rank 1 got a signal: all ranks end');
        expect(existsSync(join(cwd, `${signal}.json`))).toBe(true);
      }
      // The checkpoint is whole: training goes on from it.
      const more = await listwise(
        0,
        [
          ...words,
          '--set',
          'trees=100000',
          '--set',
          'patience=1',
          '--checkpoint',
          signal,
          '--resume',
          '--out',
          'more.json',
        ],
        { cwd },
      );
      expect(more.stderr).toMatch(/going on after iteration \d+/);
      expect(more.code).toBe(0);
    },
    240_000,
  );

  it('ends with a message and a code where what it makes cannot be written', async () => {
    const full = await listwise(2, [...words, '--set', 'trees=2', '--out', '/dev/full', '--force'], { cwd });
    expect(full.code).toBe(2);
    expect(full.stderr).toContain('/dev/full');
  }, 240_000);
});
