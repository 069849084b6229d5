/** A mistake on several ranks is reported once, and says whose it is. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { beforeAll, describe, expect, it } from 'vitest';
import { threadsOfRank } from '#listwise/cli/agreed-ranks.js';
import { ListwiseError } from '#listwise/errors.js';
import { together } from '#listwise/ranks/together.js';
import { alone, type Transport } from '#listwise/ranks/transport.js';
import { temporaryDirectory } from '../temporary.js';
import { type Ended, listwise, mpirun, root, unlessThere, withoutOpenMpi } from './mpirun.js';

/** Rank 0 of two, of which the other gives this. */
const beside = (other: unknown): Transport => ({
  ...alone,
  size: 2,
  gather: part => [part, new Uint8Array(serialize(other))],
});

describe('work before ranks go on together', () => {
  const fail = () => {
    throw new ListwiseError('file-not-found', 'no such file', { file: 'a.txt' });
  };

  it('fails on all ranks where it fails on one, which is named', async () => {
    const other = { code: 'file-not-found', detail: 'no such file', place: { file: 'b.txt' }, message: 'its own' };
    const found = together(beside(other), () => 7);
    await expect(found).rejects.toMatchObject({ message: 'b.txt: no such file (on rank 1)', code: 'file-not-found' });
  });

  it('names nobody where all find the same', async () => {
    const other = { code: 'file-not-found', detail: 'no such file', place: {}, message: 'a.txt: no such file' };
    await expect(together(beside(other), fail)).rejects.toMatchObject({ message: 'a.txt: no such file' });
  });

  it('gives what it came to where nothing is wrong', async () => {
    expect(await together(beside({}), async () => 7)).toBe(7);
    expect(await together(alone, () => 8)).toBe(8);
  });
});

describe('threads of a rank', () => {
  /** Both ranks are on this machine. */
  const here = { ...alone, size: 2, gather: (part: Uint8Array) => [part, part] };

  it('are its share of the cores, or those that the command line asks for', () => {
    expect(threadsOfRank(here, { given: new Set(['out']), options: { threads: 8 } })).toBe(4);
    expect(threadsOfRank(here, { given: new Set(['threads']), options: { threads: 8 } })).toBe(8);
  });
});

describe.skipIf(withoutOpenMpi !== undefined)(`a mistake on several ranks${unlessThere(withoutOpenMpi)}`, () => {
  const cwd = temporaryDirectory();
  const main = `${root}/dist/cli/main.js`;
  const rows = Array.from({ length: 300 }, (_, i) => `${i % 3} qid:${Math.floor(i / 6)} 1:${(i * 7) % 11}\n`);

  beforeAll(async () => {
    mkdirSync(join(cwd, 'there'));
    for (const folder of ['.', 'there']) writeFileSync(join(cwd, folder, 'data.txt'), rows.join(''));
    writeFileSync(join(cwd, 'bad.txt'), rows.with(250, 'x y z\n').join(''));
    const few = ['train', 'data.txt', '--set', 'trees=1', '--threads', '1'];
    await listwise(0, [...few, '--out', 'model.json'], { cwd });
    await listwise(0, [...few, '--out', 'there/model.json', '--seed', '2', '--holdout', '0.5'], { cwd });
    expect(readFileSync(join(cwd, 'model.json'), 'utf8')).not.toBe(readFileSync(join(cwd, 'there/model.json'), 'utf8'));
  }, 240_000);

  /** Rank 1 has other words, or is elsewhere. */
  const apart = (first: readonly string[], second: readonly string[], folder = '.') =>
    mpirun(1, [main, ...first, ':', '-np', '1', '--wdir', join(cwd, folder), process.execPath, main, ...second], {
      cwd,
    });

  const saidOnce = ({ stderr, code }: Ended, text: string) => {
    expect(stderr.split('\n').filter(line => line.includes('listwise:'))).toEqual([`listwise: ${text}`]);
    expect(code).toBe(2);
  };

  it.each([
    [['trian', 'data.txt'], 'there is no command "trian"; did you mean "train"? [usage]'],
    [['train', 'data.txt', '--sed', '3'], "unknown option '--sed'; did you mean --set? [usage]"],
    [['train', 'none.txt', '--out', 'x.json'], 'none.txt: no such file or directory [file-not-found]'],
    [['cv', 'none.txt', '--spread', 'folds'], 'none.txt: no such file or directory [file-not-found]'],
    [
      ['train', 'bad.txt', '--out', 'x.json'],
      'bad.txt:251:1: the label is a finite number, found "x" (on rank 1) [label-invalid]',
    ],
  ])('is said once: %j', async (words, text) => saidOnce(await listwise(2, words, { cwd }), text), 240_000);

  it('that one rank finds names it', async () => {
    writeFileSync(join(cwd, 'here.txt'), rows.join(''));
    const words = ['train', 'here.txt', '--out', 'x.json'];
    saidOnce(await apart(words, words, 'there'), 'here.txt: no such file or directory (on rank 1) [file-not-found]');
  }, 240_000);

  it('is another command, or another model to go on from', async () => {
    const { stderr } = await apart(['train', 'data.txt'], ['cv', 'data.txt']);
    expect(stderr).toContain('rank 1 and rank 0 differ in the command line: "cv data.txt" on rank 1');
    const words = ['train', 'data.txt', '--from', 'model.json', '--out', 'x.json'];
    const ended = await apart(words, words, 'there');
    expect(ended.stderr).toMatch(/listwise: rank 1 and rank 0 differ in the model of --from: /);
    expect(ended.code).toBe(2);
  }, 240_000);

  it('is another option in a file of the same name, which is told by its name', async () => {
    for (const [folder, leaves] of [
      ['.', 4],
      ['there', 5],
    ] as const) {
      writeFileSync(join(cwd, folder, 'options.json'), JSON.stringify({ model: 'trees', options: { leaves } }));
    }
    const words = ['train', 'data.txt', '--config', 'options.json', '--out', 'x.json'];
    saidOnce(
      await apart(words, words, 'there'),
      'rank 1 and rank 0 differ in the option leaves: "5" on rank 1, "4" on rank 0; give every rank the same [ranks-differ]',
    );
  }, 240_000);

  it('before they join is a library that is not there', async () => {
    const { stderr, code } = await mpirun(2, [main, 'train', 'data.txt'], { cwd, env: { LISTWISE_MPI: '/none.so' } });
    // Mostly rank 0 ends the others before they say it, too; where one is quicker, it says which it is.
    const said = stderr.match(/listwise: .*no MPI library was found/g) ?? [];
    expect(said[0]).toMatch(/^listwise: (rank 1: )?no MPI library/);
    expect(new Set(said).size).toBe(said.length);
    expect(code).toBe(2);
  }, 240_000);
});
