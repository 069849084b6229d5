/** listwise runs: run folders in a table, or beside each other. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

describe('listwise runs', () => {
  const cwd = temporaryDirectory();
  const cli = async (words: string) => run(words.split(' '), { cwd });
  const json = async (words: string) => JSON.parse((await cli(`${words} --json`)).stdout) as Record<string, unknown>;

  beforeAll(async () => {
    await cli('generate cubic --queries 20 --docs 8 --features 4 --out data.txt --quiet');
    await cli('train data.txt --set trees=2 --dir runs/a --quiet');
    await cli('train data.txt --set trees=3 --dir runs/b --quiet');
  }, 60_000);

  it('lists those of a folder, the newest first', async () => {
    const { stdout, code } = await cli('runs runs');
    expect(code).toBe(0);
    expect(stdout).toContain('2 runs, 0 of them running.');
    expect(stdout).toMatch(/b .*ndcg@10 .*finished .*train .*trees.*a .*ndcg@10/s);
    const { runs, differences } = await json('runs runs');
    expect(runs).toMatchObject([
      { name: 'b', command: 'train', state: 'finished', model: 'trees', best: { measure: 'ndcg@10' } },
      { name: 'a', directory: join(cwd, 'runs/a') },
    ]);
    expect(differences).toBeUndefined();
  });

  it('puts those that are named beside each other', async () => {
    const { stdout } = await cli('runs runs/a runs/b --report page.html');
    expect(stdout).toContain('a and b: 1 option differs.');
    expect((await json('runs runs/a runs/b')).differences).toEqual([{ option: 'trees', values: ['2', '3'] }]);
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toContain('ndcg@10 by iteration');
  });

  it('shows all options of one', async () => {
    const { stdout } = await cli('runs runs/b');
    expect(stdout).toMatch(/b \(train, finished\): ndcg@10 0\.\d+/);
    expect(stdout).toMatch(/trees +3/);
  });

  it('has the curve of a training, the folds and the trials of others: what the studio draws', async () => {
    expect((await cli('runs runs/b')).stdout).toMatch(/ndcg@10 0\.\d+ .+ 0\.\d+\n/);
    expect((await json('runs runs/b')).runs).toMatchObject([
      { log: [1, 2, 3].map(iteration => ({ iteration, validation: [expect.any(Number)] })) },
    ]);
    await cli('cv data.txt --model linear --set epochs=2 --folds 3 --dir others/cv --quiet');
    expect((await cli('runs others/cv')).stdout).toMatch(
      /fold +ndcg@10 selecting +best iteration +seconds\n.*\n +1 .*\n +2 .*\n +3 /,
    );
    const search = { rate: { from: 0.001, to: 1, scale: 'log' } };
    writeFileSync(join(cwd, 'space.json'), JSON.stringify({ model: 'linear', options: { epochs: 2 }, search }));
    await cli('tune data.txt --space space.json --trials 2 --folds 2 --dir others/tune --quiet --out tuned.json');
    expect((await cli('runs others/tune')).stdout).toMatch(/trial +ndcg@10\n.*\n *defaults +0\.\d+\n +1 +0\.\d+\n +2 /);
    const [tuned] = (await json('runs others/tune')).runs as { log: { trial: number }[] }[];
    expect(tuned!.log.map(({ trial }) => trial).sort()).toEqual([0, 1, 2]);
  });

  it('says where there is no folder', async () => {
    const { code, stderr } = await cli('runs nowhere');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such folder');
    expect((await cli('runs data.txt')).code).toBe(2);
  });
});
