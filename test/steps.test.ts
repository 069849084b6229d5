import { describe, expect, it } from 'vitest';
import { compareSteps, compareSystems } from '#listwise/analysis/compare.js';
import { permutationImportance, permutationSteps } from '#listwise/analysis/importance.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { inspectDataset, inspectSteps } from '#listwise/data/inspect.js';
import { evaluate, evaluateSteps } from '#listwise/measures/evaluate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { atOnce, inTurns, partOf, type Steps } from '#listwise/steps.js';
import { ridge } from '#listwise/training/baselines/ridge.js';

function* counting(to: number): Steps<string> {
  for (let i = 1; i <= to; i++) yield i / to;
  return 'done';
}

describe('steps', () => {
  it('give the same result at once and in turns', async () => {
    const seen: number[] = [];
    expect(atOnce(counting(4))).toBe('done');
    expect(await inTurns(counting(4), share => seen.push(share))).toBe('done');
    expect(seen).toEqual([0.25, 0.5, 0.75, 1]);
  });

  it('can be a part of larger work', async () => {
    const seen: number[] = [];
    expect(await inTurns(partOf(counting(2), 0.5, 1), share => seen.push(share))).toBe('done');
    expect(seen).toEqual([0.75, 1]);
  });

  it('let others run, and pass errors on', async () => {
    function* long(): Steps<number> {
      const start = performance.now();
      let turns = 0;
      while (performance.now() - start < 200) yield turns++;
      throw new Error('at the end');
    }
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await expect(inTurns(long())).rejects.toThrow('at the end');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });
});

describe('shares only rise, from 0 to 1', () => {
  const data = generateDataset('cubic', { queries: 200, documents: 5, features: 4, seed: 1 });
  const model = ridge(data);
  const scores = scoreData(model, data);
  const asked = parseMeasures('ndcg@10,ap');
  const measures = asked.map(({ measure }) => measure);
  const systems = ['a', 'b', 'c'].map(name => ({ name, data, scores: scores.map(score => score + name.length) }));

  async function follow<T>(steps: Steps<T>, whole: T, least: number): Promise<void> {
    const shares: number[] = [0];
    expect(await inTurns(steps, share => shares.push(share))).toEqual(whole);
    expect(shares.length).toBeGreaterThan(least);
    for (const [i, share] of shares.entries()) if (i > 0) expect(share).toBeGreaterThanOrEqual(shares[i - 1]!);
    expect(shares.at(-1)).toBeLessThanOrEqual(1 + 1e-12);
  }

  it('evaluate', () => follow(evaluateSteps(data, scores, measures), evaluate(data, scores, measures), 2));
  it('compare', () => follow(compareSteps(systems, asked), compareSystems(systems, asked), 8));
  it('inspect', () => follow(inspectSteps(data), inspectDataset(data), 200));
  it('importance', () =>
    follow(permutationSteps(model, data, measures), permutationImportance(model, data, measures), 19));
});
