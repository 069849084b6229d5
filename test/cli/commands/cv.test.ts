import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory, name);

function data(queries: number, from: number): string {
  const lines: string[] = [];
  for (let q = from; q < from + queries; q++) {
    for (let d = 0; d < 8; d++) {
      const x = ((q * 7 + d * 13) % 17) / 17;
      lines.push(`${x > 0.8 ? 2 : x > 0.5 ? 1 : 0} qid:${q} 1:${x} 2:${((q * d) % 5) / 5} 3:${(d * q) % 3}`);
    }
  }
  // Rows of a query are apart: out-of-fold scores still follow the input.
  return `${[...lines.filter((_, i) => i % 2), ...lines.filter((_, i) => i % 2 === 0)].join('\n')}\n`;
}

beforeAll(() => {
  writeFileSync(file('data.txt'), data(15, 0));
  writeFileSync(file('net.json'), JSON.stringify({ model: 'net', options: { epochs: 3, hidden: [2] } }));
  mkdirSync(file('letor'));
  for (const k of [1, 2, 3, 4, 5]) writeFileSync(file(`letor/S${k}.txt`), data(3, 10 * k));
});

const cv = (...args: string[]) => run(['cv', ...args], { cwd: directory });
const short = ['--model', 'linear', '--set', 'epochs=4', '-m', 'ndcg@10,ap'];

describe('cv', () => {
  it('records itself, and writes the same page again where the time is set', async () => {
    const record = async () => {
      const args = ['cv', 'data.txt', '--folds', '3', ...short, '--dir', 'run', '--force', '--json'];
      const result = await run(args, { cwd: directory, env: { SOURCE_DATE_EPOCH: '0' } });
      expect(result.code).toBe(0);
      expect(readFileSync(file('run/results.json'), 'utf8')).toBe(result.stdout);
      return readFileSync(file('run/report.html'), 'utf8');
    };
    expect(await record()).toBe(await record());
    const recorded = JSON.parse(readFileSync(file('run/run.json'), 'utf8'));
    expect(recorded).toMatchObject({ command: 'cv', status: 'finished', options: { folds: '3', model: 'linear' } });
    expect(recorded.data).toEqual([expect.objectContaining({ role: 'data', file: 'data.txt', queries: 15 })]);
    const log = readFileSync(file('run/log.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(log.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(log.map(({ fold }) => fold).sort()).toEqual([1, 2, 3]);
    expect(readFileSync(file('run/scores.txt'), 'utf8').trim().split('\n')).toHaveLength(120);
    const again = await cv('data.txt', '--folds', '3', ...short, '--dir', 'run');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('run-exists');
  });

  it('evaluates each fold and their mean, the same for any number of threads', async () => {
    const results = async (threads: string) => {
      const result = await cv(
        'data.txt',
        '--folds',
        '3',
        ...short,
        '--threads',
        threads,
        '--json',
        '--scores',
        `${threads}.txt`,
      );
      expect(result.code).toBe(0);
      return JSON.parse(result.stdout);
    };
    const [one, two] = [await results('1'), await results('2')];
    expect(one).toMatchObject({ schema: 'listwise/cv/1', kind: 'linear', objective: 'lambdarank(ndcg)', queries: 15 });
    expect(one.folds).toHaveLength(3);
    const mean = one.folds.reduce((sum: number, fold: { measures: { ap: number } }) => sum + fold.measures.ap, 0) / 3;
    expect(one.mean.ap).toBeCloseTo(mean, 12);
    expect(one.ci.ap[0]).toBeLessThan(mean);
    expect(two.mean).toEqual(one.mean);
    expect(readFileSync(file('2.txt'), 'utf8')).toBe(readFileSync(file('1.txt'), 'utf8'));
    const evaluated = await run(['evaluate', '--scores', '1.txt', 'data.txt', '-m', 'ndcg@10,ap', '--json'], {
      cwd: directory,
    });
    const [ndcg, ap] = JSON.parse(evaluated.stdout).measures;
    expect([ndcg.mean, ap.mean]).toEqual([one.mean['ndcg@10'], one.mean.ap].map(value => expect.closeTo(value, 12)));
  });

  it('takes given folds and prints a table', async () => {
    const result = await cv('letor', '--folds', 'letor', ...short, '--scores', 'letor.txt');
    expect(result.stdout).toMatch(/^linear, lambdarank\(ndcg\): 5 folds, 15 queries, 120 documents\n\nfold /);
    expect(result.stdout).toMatch(/^mean +[01]\.\d{4} +[01]\.\d{4}$/m);
    expect(result.stdout).toContain('out-of-fold scores written to letor.txt');
    const mean = Number(/^mean +([\d.]+)/m.exec(result.stdout)![1]);
    const evaluated = await run(['evaluate', '--scores', 'letor.txt', 'letor', '-m', 'ndcg@10', '--json'], {
      cwd: directory,
    });
    expect(JSON.parse(evaluated.stdout).measures[0].mean).toBeCloseTo(mean, 4);
  });

  it('trains on two parts, selects on two and tests on one', async () => {
    const parts = (...numbers: number[]) => numbers.map(k => data(3, 10 * k)).join('');
    writeFileSync(file('train.txt'), parts(1, 2));
    writeFileSync(file('validate.txt'), parts(3, 4));
    const training = ['train.txt', '--validate', 'validate.txt', '--out', 'model.json', ...short.slice(0, 4)];
    expect((await run(['train', ...training], { cwd: directory })).code).toBe(0);
    const command = ['evaluate', 'model.json', 'letor/S5.txt', '-m', 'ap', '--json'];
    const evaluated = JSON.parse((await run(command, { cwd: directory })).stdout);
    const { folds } = JSON.parse(
      (await cv('letor', '--folds', 'letor', '--parts', '2,2,1', ...short, '--json')).stdout,
    );
    expect(folds[0].measures.ap).toBe(evaluated.measures[0].mean);
    const random = ['data.txt', '--parts', '2,2,1', ...short, '--dir', 'parts', '--json'];
    expect(JSON.parse((await cv(...random)).stdout).folds).toHaveLength(5);
    expect(JSON.parse(readFileSync(file('parts/run.json'), 'utf8')).options).toMatchObject({ parts: '2,2,1' });
  });

  it('says why a value is missing, on the page too', async () => {
    const two = (query: number, label: number) => `${label} qid:${query} 1:1\n0 qid:${query} 1:0\n`;
    writeFileSync(file('few.txt'), [two(1, 1), two(2, 0), two(3, 1), two(4, 0)].join(''));
    const asked = ['--model', 'linear', '--set', 'epochs=1', '--holdout', '0', '-m', 'ap(empty=skip),ndcg@5'];
    const { stdout } = await cv('few.txt', '--folds', '4', ...asked, '--report', 'few.html');
    const sentence =
      /ap\(empty=skip\) is undefined for every query of folds \d and \d, and so is its mean over the folds\./;
    expect(stdout.split('\n').filter(line => line.startsWith('-: '))).toEqual([expect.stringMatching(sentence)]);
    expect(/<p class="verdict">(.*)<\/p>/.exec(readFileSync(file('few.html'), 'utf8'))![1]).toMatch(sentence);
    expect((await cv('data.txt', '--folds', '3', ...short)).stdout).not.toContain('-: ');
  });

  it('compares two configurations on the same folds', async () => {
    const args = ['data.txt', '--folds', '3', ...short, '--against', 'net.json'];
    const json = JSON.parse((await cv(...args, '--json')).stdout);
    expect(json.against).toMatchObject({ config: 'net.json', folds: [{ fold: 1 }, { fold: 2 }, { fold: 3 }] });
    expect(json.pairs.map((pair: { measure: string }) => pair.measure)).toEqual(['ndcg@10', 'ap']);
    expect(json.pairs[0]).toMatchObject({ a: 'linear', b: 'net.json', queries: 15 });
    expect(json.pairs[0].difference).toBeCloseTo(json.mean['ndcg@10'] - json.against.mean['ndcg@10'], 12);
    expect((await cv(...args, '--report', 'cv.html')).stdout).toContain('Paired over the 15 queries');
    const page = readFileSync(file('cv.html'), 'utf8');
    for (const title of ['Folds: linear', 'Fold by fold: net.json', 'Query by query'])
      expect(page).toContain(`"title":"${title}"`);
  });

  it('says what is wrong', async () => {
    const stderr = async (...args: string[]) => {
      const result = await cv(...args);
      expect(result.code).toBe(2);
      return result.stderr;
    };
    expect(await stderr('data.txt', '--folds', 'some')).toContain('--folds is a whole number of at least 2, or letor');
    expect(await stderr('data.txt', '--folds', '16')).toContain('the number of folds is a whole number from 2 to');
    expect(await stderr('letor', '--folds', 'letor', '--holdout', '0.1')).toContain(
      '--holdout does not go with --folds letor',
    );
    expect(await stderr('data.txt', '--parts', '2,2,1', '--holdout', '0.1')).toContain(
      '--holdout does not go with --parts',
    );
    for (const wrong of ['3,2,1', '1,2,2', '0,4,1', '2,2', 'all']) {
      expect(await stderr('data.txt', '--parts', wrong)).toContain(
        '--parts is TRAIN,VALIDATE,1, which add up to the 5 parts of --folds 5',
      );
    }
    expect(await stderr('letor', '--folds', 'letor', '--group', 'x')).toContain(
      '--group does not go with --folds letor',
    );
    expect(await stderr('data.txt', '--scores', 'nowhere/scores.txt')).toContain('its directory does not exist');
    expect(await stderr('data.txt', '--against', 'none.json')).toContain('no such config file');
    expect(await stderr('data.txt', '--model', 'linear', '--set', 'rate=-1')).toContain('rate is a number above 0');
  });
});
