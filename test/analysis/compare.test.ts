import { describe, expect, it } from 'vitest';
import { compareSystems } from '#listwise/analysis/compare.js';
import { pairedComparison } from '#listwise/analysis/significance/paired.js';
import { readSystem, type System } from '#listwise/analysis/system.js';
import { Dataset } from '#listwise/data/dataset.js';
import { readQrels } from '#listwise/data/readers/trec/qrels.js';
import { ListwiseError } from '#listwise/errors.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { Random } from '#listwise/numeric/random.js';

const memory = (text: string) => memoryInput('memory', Buffer.from(text));

/** Queries of 8 documents, graded 0 to 2; every fifth query has no relevant document. */
function artificial(queries: number, seed: number): Dataset {
  const random = new Random(seed, 'compare');
  const rows = 8 * queries;
  const labels = Float64Array.from({ length: rows }, (_, row) => ((row >> 3) % 5 === 4 ? 0 : random.below(3)));
  return new Dataset({
    featureNames: [],
    blocks: [{ start: 0, rows, stride: rows, data: new Float32Array(0) }],
    offsets: Uint32Array.from({ length: queries + 1 }, (_, q) => 8 * q),
    queryIds: Array.from({ length: queries }, (_, q) => `q${q}`),
    labels: new Map([['label', labels]]),
  });
}

/** A system that knows the labels up to noise. */
function system(name: string, data: Dataset, noise: number, seed: number): System {
  const random = new Random(seed, name);
  return { name, data, scores: Float64Array.from(data.label(), label => label + noise * random.gaussian()) };
}

const data = artificial(60, 1);
const good = system('good', data, 0.5, 1);
const fair = system('fair', data, 1.5, 1);
const poor = system('poor', data, 10, 1);

describe('compareSystems', () => {
  it('equals evaluating each and testing the differences', () => {
    const measures = parseMeasures('ndcg@5,ap');
    const { systems, pairs } = compareSystems([good, poor], measures);
    const [a, b] = [good, poor].map(({ scores }) =>
      evaluate(
        data,
        scores,
        measures.map(({ measure }) => measure),
      ),
    );
    expect(systems[0]!.means).toEqual({ 'ndcg@5': a![0]!.mean, ap: a![1]!.mean });
    for (const m of [0, 1]) {
      const expected = pairedComparison(a![m]!.values, b![m]!.values);
      expect(pairs[m]).toMatchObject({ ...expected, a: 'good', b: 'poor', measure: measures[m]!.asked });
      expect(pairs[m]!.difference).toBeCloseTo(a![m]!.mean - b![m]!.mean, 12);
      expect(pairs[m]!.significant).toBe(true);
    }
  });

  it('compares with a baseline, or all pairs, and adjusts over the pairs of a measure', () => {
    const measures = parseMeasures('ndcg@5,ap');
    const all = compareSystems([good, fair, poor], measures);
    expect(all.pairs.map(({ a, b }) => `${a}-${b}`).slice(0, 3)).toEqual(['good-fair', 'good-poor', 'fair-poor']);
    const based = compareSystems([good, fair, poor], measures, { baseline: 'fair' });
    expect(based.pairs.map(({ a, b }) => `${a}-${b}`)).toEqual(['good-fair', 'poor-fair', 'good-fair', 'poor-fair']);
    const [larger, smaller] = based.pairs
      .slice(0, 2)
      .map(pair => pair)
      .sort((x, y) => y.p.t - x.p.t);
    expect(smaller!.adjusted.t).toBeCloseTo(2 * smaller!.p.t, 12);
    expect(larger!.adjusted.t).toBeCloseTo(Math.max(larger!.p.t, 2 * smaller!.p.t), 12);
    const raw = compareSystems([good, fair, poor], measures, { correction: 'none' });
    for (const pair of raw.pairs) expect(pair.adjusted).toEqual(pair.p);
  });

  it('intervals of several pairs hold together where p-values are adjusted', () => {
    const width = (correction: 'holm' | 'none', alpha: number) => {
      const compared = compareSystems([good, fair, poor], parseMeasures('ap'), { correction, alpha });
      const [low, high] = compared.pairs[0]!.interval;
      return high - low;
    };
    expect(width('holm', 0.05)).toBe(width('none', 0.05 / 3));
    expect(width('holm', 0.05)).toBeGreaterThan(width('none', 0.05));
  });

  it('agree asks t, Wilcoxon and sign test; otherwise the randomisation test decides', () => {
    const measures = parseMeasures('ndcg@5');
    for (const agree of [false, true]) {
      for (const alpha of [0.5, 0.05, 1e-9]) {
        const { pairs } = compareSystems([good, fair, poor], measures, { agree, alpha });
        for (const { adjusted, significant } of pairs) {
          const deciding = agree ? [adjusted.t, adjusted.wilcoxon, adjusted.sign] : [adjusted.randomisation];
          expect(significant).toBe(deciding.every(p => p < alpha));
        }
      }
    }
  });

  it('counts empty queries as ties, or leaves them out of both where they are skipped', () => {
    const [counted, skipped] = ['ndcg', 'ndcg(empty=skip)'].map(
      spec => compareSystems([good, poor], parseMeasures(spec)).pairs[0]!,
    );
    expect(counted!.n).toBe(60);
    expect(counted!.ties).toBeGreaterThanOrEqual(12);
    expect(skipped!.n).toBe(48);
    expect(skipped!.ties).toBe(counted!.ties - 12);
  });

  it('tests what a geometric mean averages: logarithms', () => {
    const [pair] = compareSystems([good, poor], parseMeasures('gmap')).pairs;
    const means = compareSystems([good, poor], parseMeasures('gmap')).systems.map(({ means }) => means.gmap!);
    expect(Math.exp(pair!.difference)).toBeCloseTo(means[0]! / means[1]!, 10);
    expect(pair!.notes).toEqual([expect.stringMatching(/are of log\(max\(AP, floor\)\), .*geometric mean/)]);
    expect(compareSystems([good, poor], parseMeasures('ap')).pairs[0]!.notes).toEqual([]);
  });

  it('matches queries by id, whatever their order', () => {
    const measures = parseMeasures('ndcg@5');
    const order = Array.from({ length: 60 }, (_, q) => 59 - q);
    const rows = order.flatMap(q => Array.from({ length: 8 }, (_, i) => 8 * q + i));
    const turned = data.with({
      queryIds: order.map(q => `q${q}`),
      labels: new Map([['label', Float64Array.from(rows, row => data.label()[row]!)]]),
    });
    const other = { name: 'poor', data: turned, scores: Float64Array.from(rows, row => poor.scores[row]!) };
    expect(compareSystems([good, other], measures).pairs).toEqual(compareSystems([good, poor], measures).pairs);
  });

  it('refuses different queries by name, one system, equal names, an unknown baseline, a bad alpha', () => {
    const measures = parseMeasures('ndcg@5');
    const other = system('other', data.with({ queryIds: data.queryIds.map(id => (id === 'q3' ? 'x' : id)) }), 1, 1);
    expect(() => compareSystems([good, other], measures)).toThrow(
      'systems "good" and "other" have different queries: only "good" has q3; only "other" has x',
    );
    expect(() => compareSystems([good], measures)).toThrow('at least two');
    expect(() => compareSystems([good, good], measures)).toThrow('two systems are named "good"');
    expect(() => compareSystems([good, poor], measures, { baseline: 'god' })).toThrow('did you mean "good"?');
    expect(() => compareSystems([good, poor], measures, { alpha: 5 })).toThrow('alpha');
  });
});

describe('readSystem', () => {
  const qrels = () => readQrels(memory('q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n'));

  it.each([
    ['a run', 'q1 Q0 b 1 2.0 t\nq2 Q0 a 1 1 t\n', [2, 1]],
    ['a run after a comment and a blank line', '# run\n\nq1 0 b 1 2.0 t\nq2 0 a 1 1 t\n', [2, 1]],
    ['plain scores', '0.5\n-1\n2\n', [0.5, -1, 2]],
    ['RankLib scores', 'q1\t0\t5\nq1\t1\t6\nq2\t0\t7\n', [5, 6, 7]],
  ])('tells %s apart', async (_, text, scores) => {
    const found = await readSystem('s', memory(text), await qrels());
    expect([...Array.from(found.scores)]).toEqual(scores);
  });

  it('tells a model apart', async () => {
    const judged = await qrels();
    const featured = judged.with({
      featureNames: ['1'],
      blocks: [{ start: 0, rows: 3, stride: 3, data: Float32Array.of(1, 2, 3) }],
    });
    const model = new LinearModel({ featureNames: ['1'], weights: Float64Array.of(2), bias: 1 });
    const found = await readSystem('s', memory(printModel(model)), featured);
    expect(Array.from(found.scores)).toEqual([3, 5, 7]);
  });

  it('notes queries that cannot be evaluated and queries that were not ranked', async () => {
    const notes: string[] = [];
    const found = await readSystem('s', memory('q1 Q0 b 1 2 t\nq9 Q0 b 1 2 t\n'), await qrels(), {
      note: text => notes.push(text),
    });
    expect(found.withoutJudgments).toEqual(['q9']);
    expect(notes).toEqual([
      'memory: queries without judgments are left out: q9',
      'memory: judged queries that the run lacks are left out (`complete: true` counts them): q2',
    ]);
  });

  it.each([
    ['nan\n1\n2\n', 'score-invalid'],
    ['', 'model-invalid'],
    ['hello world\n', 'model-invalid'],
  ])('refuses %j with %s', async (text, code) => {
    const error = await readSystem('s', memory(text), await qrels()).catch(caught => caught);
    expect(error).toBeInstanceOf(ListwiseError);
    expect(error.code).toBe(code);
  });
});
