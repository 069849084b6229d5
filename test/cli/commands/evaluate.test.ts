import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { examples, run, start } from '../run.js';

const folder = temporaryDirectory();
const file = (name: string, text: string | Buffer) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('evaluate', () => {
  it('prints a table with means, queries and what empty ones counted', async () => {
    const { code, stdout, stderr } = await run(['evaluate', '--run', 'tuned.run', '--qrels', 'qrels.txt']);
    expect([code, stderr]).toEqual([0, 'no measure named: evaluating ndcg@10,ap,rr\n']);
    expect(stdout).toBe(
      [
        'measure    mean  queries  empty  each counts',
        '───────  ──────  ───────  ─────  ───────────',
        'ndcg@10  0.7970       12      1            0',
        'ap       0.7363       12      1            0',
        'rr       0.7917       12      1            0',
        '',
        '60 documents. The defaults: gain 2^label - 1, discount 1/log2(1 + rank), empty queries count 0, ties averaged over all orders.',
        '',
      ].join('\n'),
    );
  });

  it('evaluates a model, its scores, and its run alike', async () => {
    const evaluated = async (args: string[]) => {
      const { stdout } = await run(['evaluate', ...args, '-m', 'ndcg@3,ap', '--per-query', '--json']);
      const { measures, perQuery } = JSON.parse(stdout);
      return { measures, perQuery };
    };
    const scores = file('scores.txt', (await run(['score', 'linear.json', 'test.txt'])).stdout);
    const ids = file('ids.txt', (await run(['score', 'linear.json', 'test.txt', '--ids'])).stdout);
    const ranked = file('linear.run', (await run(['score', 'linear.json', 'test.txt', '--as', 'run'])).stdout);
    const expected = await evaluated(['linear.json', 'test.txt']);
    expect(expected.measures[0].mean).toBeCloseTo(0.9089, 4);
    expect(await evaluated(['--scores', scores, 'test.txt'])).toEqual(expected);
    expect(await evaluated(['--scores', ids, 'test.txt'])).toEqual(expected);
    expect(await evaluated(['--run', ranked, '--qrels', 'qrels.txt'])).toEqual(expected);
  });

  it('gives JSON with names as asked for, canonical names, empty queries and values by query', async () => {
    const { code, stdout } = await run([
      'evaluate',
      '--run',
      'tuned.run',
      '--qrels',
      'qrels.txt',
      '--preset',
      'trec_eval',
      '--json',
      '-m',
      'map,P_2',
      '-m',
      'ndcg(empty=skip)@1,3',
      '-m',
      'map',
      '--per-query',
    ]);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result.schema).toBe('listwise/evaluate/1');
    expect(result.measures.map((each: { measure: string }) => each.measure)).toEqual([
      'map',
      'P_2',
      'ndcg(empty=skip)@1',
      'ndcg(empty=skip)@3',
    ]);
    expect(result.measures[0]).toMatchObject({ canonical: 'ap', queries: 12, empty: 1, emptyCounts: 0 });
    expect(result.measures[3]).toMatchObject({
      canonical: 'ndcg(gain=linear,empty=skip)@3',
      queries: 11,
      empty: 1,
      emptyCounts: 'skip',
    });
    expect(result.perQuery).toHaveLength(12);
    expect(result.perQuery[6]).toEqual({
      query: '7',
      values: { map: 0, P_2: 0, 'ndcg(empty=skip)@1': null, 'ndcg(empty=skip)@3': null },
    });
    expect(result).toMatchObject({ preset: 'trec_eval', ties: 'document' });
  });

  it('--rel sets the level of every binary measure that names none', async () => {
    const { stdout } = await run([
      'evaluate',
      '--run',
      'tuned.run',
      '--qrels',
      'qrels.txt',
      '--json',
      '--rel',
      '2',
      '-m',
      'ap,ap(rel=1),ndcg',
    ]);
    const names = JSON.parse(stdout).measures.map((each: { canonical: string }) => each.canonical);
    expect(names).toEqual(['ap(rel=2)', 'ap', 'ndcg']);
  });

  it('--complete counts judged queries that the run lacks; without it they are noted', async () => {
    const short = file('short.run', '1 Q0 d14 1 1 t\n99 Q0 x 1 1 t\n');
    const args = ['evaluate', '--run', short, '--qrels', 'qrels.txt', '-m', 'rr', '--json'];
    const some = await run(args);
    expect(JSON.parse(some.stdout).measures[0].queries).toBe(1);
    expect(JSON.parse(some.stdout).withoutJudgments).toEqual(['99']);
    expect(some.stderr).toContain('queries without judgments are left out: 99');
    expect(some.stderr).toContain('the run lacks are left out (--complete counts them): 2, 3, 4, 5, 6, … (11 in all)');
    const all = JSON.parse((await run([...args, '--complete'])).stdout);
    expect(all.measures[0].queries).toBe(12);
    expect(all.withoutDocuments).toHaveLength(11);
  });

  it('says how many documents are tied', async () => {
    const data = file('tied.txt', '1 qid:1 1:1\n0 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n');
    const scores = file('tied.scores', '5\n5\n1\n5\n');
    const tied = ['evaluate', '--scores', scores, data, '-m', 'p@1'];
    expect(JSON.parse((await run([...tied, '--json'])).stdout)).toMatchObject({ ties: 'expected', tied: 2 });
    expect((await run(tied)).stdout).toContain('4 documents, 2 of them tied. The defaults');
    expect((await run([...tied, '--preset', 'ranklib'])).stdout).toContain('4 documents, 2 of them tied. RankLib');
    expect((await run([...tied, '--preset', 'ranklib', '--ties', 'expected'])).stdout).toContain(
      'But ties averaged over all orders.',
    );
  });

  it('--ties says how equal scores are ordered', async () => {
    const ties = file('ties.run', '1 Q0 d11 1 1 t\n1 Q0 d14 1 1 t\n');
    const qrels = file('ties.qrels', '1 0 d14 1\n');
    const rr = async (...more: string[]) =>
      JSON.parse((await run(['evaluate', '--run', ties, '--qrels', qrels, '-m', 'rr', '--json', ...more])).stdout)
        .measures[0].mean;
    expect(await rr()).toBe(0.75);
    expect(await rr('--ties', 'input')).toBe(0.5);
    expect(await rr('--ties', 'document')).toBe(1);
    expect(await rr('--preset', 'trec_eval')).toBe(1);
    expect(await rr('--preset', 'trec_eval', '--ties', 'input')).toBe(0.5);
  });

  it('--csv gives numbers in full, by measure or by query', async () => {
    const args = ['evaluate', '--run', 'tuned.run', '--qrels', 'qrels.txt', '-m', 'rr', '--csv', '--quiet'];
    expect((await run(args)).stdout).toBe(
      'measure,canonical,mean,queries,empty,each counts\nrr,rr,0.7916666666666666,12,1,0\n',
    );
    const lines = (await run([...args, '--per-query'])).stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual(['query,rr', '1,1']);
    expect(lines).toHaveLength(14);
  });

  it('--out writes the file whole; with --json the object is printed too', async () => {
    const out = join(folder, 'result.csv');
    const args = ['evaluate', '--run', 'tuned.run', '--qrels', 'qrels.txt', '-m', 'rr'];
    const { code, stdout, stderr } = await run([...args, '--csv', '--out', out]);
    expect([code, stdout, stderr]).toEqual([0, '', `written to ${out}\n`]);
    expect(readFileSync(out, 'utf8')).toContain('rr,rr,0.79166');
    const json = join(folder, 'result.json');
    expect((await run([...args, '--json', '--out', json])).stdout).toBe(readFileSync(json, 'utf8'));
  });

  it('--load adds measures of the user', async () => {
    const module = file(
      'top.mjs',
      `export const top = {
        name: 'top', title: 'Label at the top', description: 'The label of the first document.', citation: 'none',
        cutoff: 'none', range: [0, 2], parameters: {},
        create: (_, { labels }) => ({ value: view => view.ranked(labels)[0] }),
      };`,
    );
    const args = ['evaluate', 'linear.json', 'test.txt', '-m', 'top', '--json', '--load', module];
    expect(JSON.parse((await run(args)).stdout).measures[0].mean).toBeCloseTo(1.25, 12);
    expect(JSON.parse((await run([...args, '--load', module])).stderr).error.code).toBe('plugin-invalid');
  });

  it('reads stdin and .gz', async () => {
    const tuned = readFileSync(join(examples, 'tuned.run'), 'utf8');
    const zipped = file('tuned.run.gz', gzipSync(tuned));
    const args = ['evaluate', '--qrels', 'qrels.txt', '-m', 'rr', '--csv', '--run'];
    const plain = (await run([...args, 'tuned.run'])).stdout;
    expect((await run([...args, '-'], { input: tuned })).stdout).toBe(plain);
    expect((await run([...args, zipped])).stdout).toBe(plain);
  });

  it.each([
    [['evaluate'], 'give MODEL DATA, --scores FILE DATA, or --run RUN --qrels QRELS'],
    [['evaluate', 'test.txt'], 'give MODEL DATA'],
    [['evaluate', '--run', 'tuned.run'], '--run needs --qrels'],
    [['evaluate', '--qrels', 'qrels.txt', 'linear.json', 'test.txt'], '--qrels does not go with data'],
    [['evaluate', '--complete', 'linear.json', 'test.txt'], '--complete does not go with data'],
    [['evaluate', '--run', '-', '--qrels', '-'], 'only one input can be stdin'],
    [['evaluate', '--run', 'tuned.run', '--qrels', 'qrels.txt', 'test.txt'], '--run takes no data'],
    [['evaluate', '--run', 'a', '--qrels', 'b', '--scores', 'c'], '--scores does not go with --run'],
    [['evaluate', '--run', 'a', '--qrels', 'b', '--query-col', 'q'], '--query-col does not go with --run'],
    [['evaluate', '--run', 'a', '--qrels', 'b', '--absent', 'missing'], '--absent does not go with --run'],
    [['evaluate', '--scores', 'a', 'linear.json', 'test.txt'], '--scores takes one DATA'],
    [['evaluate', 'linear.json', 'test.txt', '--preset', 'trec'], 'trec_eval'],
    [['evaluate', 'linear.json', 'test.txt', '--nonsense'], 'unknown option'],
  ])('%j is a usage error', async (args, part) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe('usage');
    expect(error.message).toContain(part);
  });

  it('a usage error is one line on stderr', async () => {
    const { code, stdout, stderr } = await run(['evaluate', '--run', 'tuned.run']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('listwise: --run needs --qrels FILE: the judgments of its documents [usage]\n');
  });

  it('so is one that the parser of flags finds', async () => {
    const { code, stderr } = await run(['evaluate', '--nonsense']);
    expect([code, stderr]).toEqual([2, "listwise: unknown option '--nonsense' [usage]\n"]);
  });

  it('says that parameters written with a measure come before the defaults', async () => {
    const footer = async (measure: string) =>
      (await run(['evaluate', '--run', 'tuned.run', '--qrels', 'qrels.txt', '-m', measure])).stdout
        .trim()
        .split('\n')
        .at(-1);
    expect(await footer('ndcg(gain=0/1/3/7/15)@3')).toMatch(
      /^60 documents\. The defaults: .*own parameters say comes first\.$/,
    );
    expect(await footer('ndcg@3')).toMatch(/ties averaged over all orders\.$/);
  });

  it('--csv with --json is a usage error', async () => {
    const { code, stderr } = await run(['evaluate', 'linear.json', 'test.txt', '--csv', '--json']);
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'usage']);
  });

  it.each([
    ['ragged run', 'row-ragged', '1 Q0 d11 1 2 t\n1 Q0 d12\n', 2],
    ['duplicate document', 'document-duplicate', '1 Q0 d11 1 2 t\n1 Q0 d11 1 2 t\n', 2],
    ['bad score', 'score-invalid', '1 Q0 d11 1 high t\n', 1],
    ['binary file', 'data-binary', '1 Q0 d\0 1 2 t\n', 1],
    ['empty file', 'data-empty', '', undefined],
  ])('%s: %s, with its line, exit code 2, nothing written', async (name, errorCode, text, line) => {
    const bad = file(`${name}.run`, text);
    const out = join(folder, 'never.txt');
    const args = ['evaluate', '--run', bad, '--qrels', 'qrels.txt', '-m', 'rr', '--out', out];
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: errorCode,
      file: bad,
      ...(line === undefined ? {} : { line }),
    });
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder).filter(each => each.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    [['--run', 'nowhere.run', '--qrels', 'qrels.txt'], 'file-not-found'],
    [['--run', 'tuned.run', '--qrels', 'qrels.txt', '-m', 'ndgc'], 'spec-unknown'],
    [['--run', 'tuned.run', '--qrels', 'qrels.txt', '-m', 'ap', '--label', 'clicks'], 'label-source-unknown'],
    [['--run', 'tuned.run', '--qrels', 'qrels.txt', '--rel', 'high'], 'option-invalid'],
    [['--scores', 'qrels.txt', 'test.txt'], 'row-ragged'],
    [['qrels.txt', 'test.txt'], 'model-invalid'],
  ])('%j fails with %s', async (args, errorCode) => {
    const { code, stderr } = await run(['evaluate', ...args, '--quiet']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^listwise: .*\\[${errorCode}\\]\n$`));
  });

  it('a mistake on stdin ends the command while the writer still holds the pipe', async () => {
    const child = start(['evaluate', '--run', '-', '--qrels', 'qrels.txt', '-m', 'ap']);
    child.stdin.write('1 Q0 d11\n'); // and no end
    const [code] = await once(child, 'exit');
    expect(code).toBe(2);
  });

  it('names the counts where scores and data differ', async () => {
    const { stderr } = await run(['evaluate', '--scores', file('few.txt', '1\n2\n'), 'test.txt', '--quiet']);
    expect(stderr).toContain('2 scores for 71 documents');
  });
});
