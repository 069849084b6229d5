import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const analyse = (...args: string[]) => run(['analyse', ...args]);
const systems = ['--system', 'linear=linear.json', '--system', 'trees=trees.json'];

const pair = ['why', 'trees.json', 'test.txt', '--query', '9', '--document', 'd91', '--document', 'd94'];

describe('analyse why', () => {
  it('of two documents: what features and trees add is the difference, in JSON, text and page alike', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const { verdict, results } = JSON.parse((await analyse(...pair, '--report', page, '--json')).stdout);
    const [{ difference, features, trees, ranked }] = results;
    const sum = (parts: { adds: number }[]) => parts.reduce((total, { adds }) => total + adds, 0);
    expect(difference).toBeCloseTo(ranked[0].score - ranked[1].score, 12);
    expect(difference).toBeGreaterThan(0);
    expect(sum(features)).toBeCloseTo(difference, 12);
    expect(sum(trees)).toBeCloseTo(difference, 12);
    expect((await analyse(...pair)).stdout).toContain(`${verdict}\n`);
    expect(readFileSync(page, 'utf8')).toContain(verdict);
  });

  it('of two documents, by Shapley values: they add up to the difference', async () => {
    const shapley = ['--shapley', '--background', 'test.txt'];
    const [{ how, difference, features }] = JSON.parse((await analyse(...pair, ...shapley, '--json')).stdout).results;
    expect(how).toBe('shapley');
    const sum = features.reduce((total: number, { adds }: { adds: number }) => total + adds, 0);
    expect(sum).toBeCloseTo(difference, 12);
    expect((await analyse(...pair, ...shapley)).stdout).toContain('is its Shapley value for one document less');
    const expectError = async (args: string[], message: string) => {
      const { code, stderr } = await analyse(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    };
    await expectError([...pair, '--shapley'], 'give documents to compare with as --background [background-missing]');
    await expectError([...pair, '--background', 'test.txt'], '--background does not go with this: give --shapley');
    const two = ['why', 'linear.json', 'trees.json', 'test.txt', '--query', '9', '--shapley'];
    await expectError(two, '--shapley needs --document ID: two documents of a query are compared');
  });

  it('of one document: what features add to the score', async () => {
    const [{ base, ranked, features, how }] = JSON.parse((await analyse(...pair.slice(0, 7), '--json')).stdout).results;
    expect(how).toBe('parts');
    const sum = features.reduce((total: number, { adds }: { adds: number }) => total + adds, base);
    expect(sum).toBeCloseTo(ranked.score, 6);
    const { stdout } = await analyse(...pair.slice(0, 7));
    expect(stdout).toMatch(/^Document d91 of query 9: trees.json has it at rank 1 with a score of 0.1241/);
    expect(stdout).toContain('trees.json: mean of the query 0.0440, d91 0.1241\n');
  });

  it('prints one JSON object: a result a document; models and data in any order; writes a page', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const { stdout } = await analyse(
      'why',
      'test.txt',
      'linear.json',
      'trees.json',
      '--query',
      '9',
      '--report',
      page,
      '--json',
    );
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      analysis: 'why',
      query: '9',
      a: 'linear.json',
      b: 'trees.json',
      contributions: ['parts', 'parts'],
      measures: [{ measure: 'ndcg@10' }],
    });
    expect(result.results.map(({ rankB }: { rankB: number }) => rankB)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(result.results[0].features).toHaveLength(3);
    expect(readFileSync(page, 'utf8')).toContain('Ranks side by side');
  });

  it.each([
    [['why', 'linear.json', 'trees.json', 'test.txt'], 'give --query ID'],
    [
      ['why', 'linear.json', 'test.txt', 'test.txt', '--query', '1'],
      'give two model files and one DATA, found 1 and 2',
    ],
    [['why', 'linear.json', 'trees.json', 'test.txt', '--query', 'x'], 'the data has no query "x"'],
    [['why', 'trees.json', 'test.txt', '--query', '9'], 'give two model files and one DATA, found 1 and 1'],
    [[...pair.slice(0, 7), '--shapley'], 'give --document twice, for documents of the query; found d91'],
    [
      [...pair, '--document', 'd92'],
      'give --document once or twice, for documents of the query; found d91, d94 and d92',
    ],
    [['why', 'trees.json', 'test.txt', '--query', '9', '--document', 'd91', '--document', 'd9'], 'no document "d9"'],
    [[...pair, '-m', 'ap'], '--measure does not go with --document'],
    [['queries', 'test.txt', ...systems, '--system', 'c=trees.json'], 'give one or two systems, found 3'],
    [['queries', 'test.txt', '--system', 'a=linear.json', '--sort', 'gain'], '--sort gain needs two systems'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await analyse(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('analyse queries', () => {
  it('prints one JSON object: a result a query, most lost first; writes a page', async () => {
    const page = join(temporaryDirectory(), 'page.html');
    const { stdout } = await analyse('queries', 'test.txt', ...systems, '-m', 'ndcg@3', '--report', page, '--json');
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ analysis: 'queries', systems: ['linear', 'trees'] });
    expect(result.verdict).toMatch(/^From linear to trees, ndcg@3 gains on 1 and loses on 5 of 12 queries/);
    const differences = result.results.map(
      (row: { measures: { difference: number }[] }) => row.measures[0]!.difference,
    );
    expect(differences).toEqual(differences.toSorted((a: number, b: number) => a - b));
    expect(result.results.filter(({ empty }: { empty: boolean }) => empty)).toHaveLength(1);
    expect(readFileSync(page, 'utf8')).toContain('Queries that fail');
  });
});
