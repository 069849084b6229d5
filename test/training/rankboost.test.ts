/** RankBoost against its reference by pairs, Freund's bound, and what it does beside. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { printModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import type { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { type TrainSettings, train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { treeData } from './boosting/tree-data.js';
import { signed } from './damaged-checkpoints.js';
import { distributionOf, largestR, type ReferencePair } from './rankboost.reference.js';
import '../threads-at-once.js';

function smallData(seed: number, grades: number, missing: number): Dataset {
  const random = new Random(seed, 'rankboost');
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < 4; q++) {
    const rows = 3 + random.below(7);
    const label = Float64Array.from({ length: rows }, (_, i) => (i === 0 ? 1 : i === 1 ? 0 : random.below(grades)));
    const columns = Float32Array.from({ length: 3 * rows }, (_, at) =>
      random.uniform() < missing ? Number.NaN : random.below(5) + label[at % rows]! * random.uniform(),
    );
    const queries = [{ id: `q${q}`, rows }];
    builder.append({ rows, width: 3, stride: rows, columns, labels: { label }, queries });
  }
  return builder.finish();
}

function pairsOf({ offsets, queries, label }: { offsets: Uint32Array; queries: number; label: Float64Array }) {
  const pairs: ReferencePair[] = [];
  for (let q = 0; q < queries; q++) {
    for (let i = offsets[q]!; i < offsets[q + 1]!; i++) {
      for (let j = offsets[q]!; j < offsets[q + 1]!; j++)
        if (label[i]! < label[j]!) pairs.push({ worse: i, better: j });
    }
  }
  return pairs;
}

const run = (data: Dataset, settings: Partial<TrainSettings> = {}) =>
  train({ data, holdout: 0, model: 'rankboost', select: 'pairs', threads: 1, ...settings });

describe('rankboost', () => {
  it.each([
    [2, 0],
    [4, 0],
    [3, 0.2],
  ])('is its reference, with %d grades and %d of the values missing', async (grades, missing) => {
    for (let seed = 1; seed <= 5; seed++) {
      const data = smallData(seed, grades, missing);
      const pairs = pairsOf({ offsets: data.offsets, queries: data.queries, label: data.label() });
      const columns = data.featureNames.map((_, f) => data.column(f));
      const { log, model } = await run(data, { options: { rounds: 4 } });
      const { trees } = model as TreesModel;
      for (let t = 0; t < trees.length; t++) {
        const scores = scoreData((model as TreesModel).with({ trees: trees.slice(0, t) }), data);
        const { r, z } = log[t]!.facts!;
        expect(Math.abs(r!)).toBeCloseTo(largestR(columns, pairs, distributionOf(pairs, scores)), 9);
        if (Math.abs(r!) < 0.99) expect(z).toBeLessThanOrEqual(Math.sqrt(1 - r! ** 2) + 1e-9);
      }
    }
  });

  it('keeps the bound: the share of misordered pairs is at most the product of the normalisations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.constantFrom(0, 0.2),
        fc.integer({ min: 1, max: 12 }),
        async (seed, missing, rounds) => {
          const data = smallData(seed, 3, missing);
          const found = await run(data, { options: { rounds } });
          const pairs = pairsOf({ offsets: data.offsets, queries: data.queries, label: data.label() });
          const model = (found.model as TreesModel).with({});
          const scores = scoreData(model, data);
          const wrong = pairs.filter(({ worse, better }) => scores[better]! <= scores[worse]!).length;
          const product = found.log.slice(0, found.best.iteration).reduce((all, { facts }) => all * facts!.z!, 1);
          expect(product).toBeCloseTo(found.log[found.best.iteration - 1]!.facts!.bound!, 9);
          expect(wrong / pairs.length).toBeLessThanOrEqual(product + 1e-9);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is the same for any number of threads, with missing values, unjudged documents and queries of equal weight', async () => {
    const data = treeData(3, { queries: 200 });
    const [one, three] = await Promise.all(
      [1, 3].map(threads => run(data, { threads, options: { rounds: 10, weights: 'queries' } })),
    );
    expect(printModel(three!.model)).toBe(printModel(one!.model));
    expect((one!.model as TreesModel).trees.length).toBeGreaterThan(2);
  });

  it('counts a missing value as zero where training saw none of the feature', async () => {
    const { model } = await run(smallData(1, 3, 0), { options: { rounds: 8 } });
    for (const { threshold, missingLeft } of (model as TreesModel).trees) {
      expect(missingLeft[0]).toBe(Number(0 <= threshold[0]!));
    }
    const holes = smallData(2, 3, 0.3);
    const zeros = holes.with({
      blocks: holes.blocks.map(block => ({
        ...block,
        data: block.data.map(value => (Number.isNaN(value) ? 0 : value)),
      })),
    });
    expect(scoreData(model, holes)).toEqual(scoreData(model, zeros));
  });

  it.each([0, 0.2])(
    'selects by what the model says of other data, with %d of the training values missing',
    async missing => {
      const validate = smallData(9, 3, 0.2);
      const settings = { holdout: undefined, validate, select: 'ndcg@5', options: { rounds: 6 } };
      const { model: from } = await run(smallData(1, 3, missing), settings);
      const { log, model, best } = await run(smallData(2, 3, missing), { ...settings, from });
      const [result] = evaluate(validate, scoreData(model, validate), [parseMeasure('ndcg@5')]);
      expect(best.values[0]).toBeCloseTo(result!.mean, 12);
      expect(log.length).toBeGreaterThan(1);
    },
  );

  it('goes on from a checkpoint to the same model', async () => {
    const data = smallData(3, 3, 0.2);
    const directory = temporaryDirectory();
    const whole = await run(data, { options: { rounds: 9 } });
    await run(data, { options: { rounds: 4 }, checkpoint: { directory } });
    const resumed = await run(data, { options: { rounds: 9 }, checkpoint: { directory, resume: true } });
    expect(printModel(resumed.model)).toBe(printModel(whole.model));
    expect(resumed.log.map(({ facts }) => facts)).toEqual(whole.log.map(({ facts }) => facts));
  });

  it('refuses a checkpoint whose stumps name no column, as those of before', async () => {
    const data = smallData(3, 3, 0.2);
    const directory = temporaryDirectory();
    await run(data, { options: { rounds: 4 }, checkpoint: { directory } });
    const file = join(directory, 'checkpoint.json');
    writeFileSync(file, signed(readFileSync(file, 'utf8').replaceAll('"column":', '"feature":')));
    await expect(run(data, { options: { rounds: 9 }, checkpoint: { directory, resume: true } })).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringMatching(/holds no state of this training \(0\.column: .*train without `resume`/),
    });
  });

  it('says so where there is no pair', async () => {
    const data = smallData(1, 2, 0);
    const labels = new Map([['label', new Float64Array(data.rows)]]);
    await expect(run(data.with({ labels }))).rejects.toMatchObject({ code: 'training-without-lambda' });
    await expect(run(data, { options: { labels: 'clicks' } })).rejects.toMatchObject({ code: 'label-source-unknown' });
  });

  it('has nothing to do where features are constant', async () => {
    const data = smallData(1, 2, 0);
    const blocks = data.blocks.map(block => ({ ...block, data: new Float32Array(block.data.length).fill(3) }));
    await expect(run(data.with({ blocks }))).rejects.toMatchObject({ code: 'data-empty' });
  });

  it('has nothing to do where features are constant within queries, and differ from one to another', async () => {
    const data = smallData(1, 2, 0);
    const blocks = data.blocks.map(block => ({ ...block, data: block.data.slice() }));
    for (let q = 0; q < data.queries; q++) {
      for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
        const block = blocks.find(({ start, rows }) => row >= start && row < start + rows)!;
        for (let f = 0; f < data.features; f++) block.data[f * block.stride + row - block.start] = q;
      }
    }
    await expect(run(data.with({ blocks }))).rejects.toMatchObject({ code: 'data-empty' });
  });

  it('has the stumps of the same data without its constant features', async () => {
    const data = smallData(4, 3, 0.1);
    const blocks = data.blocks.map(block => {
      const columns = [0, 1, 2].map(f => block.data.subarray(f * block.stride, f * block.stride + block.rows));
      const constant = new Float32Array(block.rows).fill(2);
      const all = [constant, columns[0]!, constant, columns[1]!, columns[2]!];
      return { ...block, stride: block.rows, data: Float32Array.from(all.flatMap(column => [...column])) };
    });
    const wide = data.with({ blocks, featureNames: ['a', 'b', 'c', 'd', 'e'] });
    const options = { rounds: 6 };
    const [narrow, found] = await Promise.all([data, wide].map(of => run(of, { options })));
    const stumpsOf = (of: typeof narrow, features: readonly number[]) =>
      (of!.model as TreesModel).trees.map(tree => ({ ...tree, feature: features[tree.feature[0]!] }));
    expect(stumpsOf(found, [-1, 0, -1, 1, 2])).toEqual(stumpsOf(narrow, [0, 1, 2]));
  });
});
