/** Trees by kernels and threads are those that the plain reference grows from the same quantised gradients. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { MOST_SHORT_PAIRS } from '#listwise/kernels/layouts/boosting.js';
import { parseCriterion } from '#listwise/measures/criterion.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { leafOf } from '#listwise/models/trees/trees.js';
import { hash32 } from '#listwise/numeric/random.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { atOnce } from '#listwise/steps.js';
import { growTree } from '#listwise/training/boosting/growth/grower.js';
import { settleOptions, treeOptions } from '#listwise/training/boosting/options.js';
import { chooseFeatures } from '#listwise/training/boosting/rows/sampling.js';
import { STARTS_APART } from '#listwise/training/boosting/rows/short-rows.js';
import { TreeEngine } from '#listwise/training/boosting/tree-engine.js';
import { type TreeEngineJob, TreeThreads } from '#listwise/training/boosting/tree-threads.js';
import { EvaluatedMeasures } from '#listwise/training/evaluated-measures.js';
import { type QuantisedRows, ReferenceWork } from './kernel-work.reference.js';
import { quantisedRows } from './quantised-rows.js';
import { categoryData, treeData } from './tree-data.js';
import '../../threads-at-once.js';

/** As many leaves as are asked for, also where there are fewer documents. */
const settle = (options: { leaves: number }, documents: number) => ({
  ...settleOptions(treeOptions.parse({ minDocuments: 5, ...options }), documents),
  leaves: options.leaves,
});

const start = async (
  set: Dataset,
  objective: string,
  threads: number,
  options: {
    leaves: number;
    queryShare?: number;
    topShare?: number;
    rate?: number;
    split?: string;
    monotone?: (string | number)[];
  },
) => {
  const job: TreeEngineJob = {
    data: set,
    validate: undefined,
    objective: parseObjective(objective),
    measures: new EvaluatedMeasures(parseCriterion('ndcg@10'), parseMeasures('ap')),
    portable: { objective, measures: ['ndcg@10', 'ap'], modules: [] },
    options: settle(options, set.rows),
    threads,
    seed: 1,
  };
  const crew = await TreeThreads.start(job);
  const quantised = (iteration: number) => {
    const tree = new Uint8Array(set.features);
    chooseFeatures(tree, job.options.featureShare, job.seed, iteration);
    return quantisedRows(crew, { tree, share: job.options.nodeFeatureShare, groups: crew.thread.job.groups });
  };
  return { engine: await TreeEngine.over(crew, job), quantised, crew };
};

/** The tree that the plain reference grows. */
function referenceTree(rows: QuantisedRows, limits: ReturnType<typeof settle>, iteration: number) {
  const work = new ReferenceWork(rows);
  return growTree(work, {
    leaves: limits.leaves,
    depth: limits.depth || Infinity,
    leastDocuments: limits.minDocuments,
    key: hash32(hash32(1, iteration), 0),
    step: (sums, parent) => work.step(sums, parent),
  });
}

describe('growing trees', () => {
  it.each([
    ['lambdarank(ndcg)', { leaves: 31 }],
    ['lambdarank(ndcg)', { leaves: 8, depth: 3, l2: 0, minGain: 0.5 }],
    ['lambdarank(ap)', { leaves: 15, minDocuments: 40 }],
    // What splits are looked at by, roughly, is beyond float32.
    ['ranknet', { leaves: 15, l2: 1e15 }],
    ['ranknet', { leaves: 15, l2: 1e25 }],
    ['ranknet', { leaves: 15, bins: 16, minHessian: 2 }],
    ['normalise(ranknet)', { leaves: 15, bins: 9 }],
    ['lambdarank(ndcg@5)', { leaves: 15, featureShare: 0.5, queryShare: 0.6 }],
    ['lambdarank(ndcg)', { leaves: 15, step: 'gradient' }],
    ['lambdarank(ndcg)', { leaves: 15, split: 'squares', minHessian: 2 }],
    ['lambdarank(ndcg)', { leaves: 15, l1: 0.3 }],
    ['ranknet', { leaves: 15, maxStep: 0.2, l2: 0 }],
    ['ranknet', { leaves: 31, pathSmoothing: 20 }],
    ['ranknet', { leaves: 31, nodeFeatureShare: 0.4, featureShare: 0.7 }],
    ['lambdarank(ndcg)', { leaves: 31, nodeFeatureShare: 0.01 }],
    ['ranknet', { leaves: 31, interactions: ['1+3', '3+8+2', '6+7'] }],
    ['ranknet', { leaves: 31, interactions: ['1+3+9'], nodeFeatureShare: 0.5, featureShare: 0.6 }],
    ['ranknet', { leaves: 15, rate: 1, topShare: 0.3, otherShare: 0.2 }],
    ['lambdarank(ap)', { leaves: 15, rate: 1, topShare: 0.1, otherShare: 0.3, step: 'gradient' }],
    ['ranknet', { leaves: 31, randomThresholds: true }],
    ['lambdarank(ap)', { leaves: 15, randomThresholds: true, nodeFeatureShare: 0.5, queryShare: 0.7, bins: 9 }],
    ['normalise(ranknet)', { leaves: 15, pathSmoothing: 3, l1: 0.1, maxStep: 0.5, queryShare: 0.7 }],
    ['lambdarank(ndcg)', { leaves: 15, split: 'squares', l1: 0.1, pathSmoothing: 5 }],
    // Histograms for so many leaves push what follows them beyond 2^31, where addresses are negative numbers to
    // careless code.
    ['lambdarank(ndcg)', { leaves: 32_000 }],
  ])('grows the reference’s trees for %s with %o', async (objective, options) => {
    const { engine, quantised } = await start(treeData(1), objective, 1, options);
    const limits = settle(options, 1000);
    try {
      for (let iteration = 1; iteration <= 4; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const reference = referenceTree(quantised(iteration), limits, iteration);
        // Without missing values in training, one counts as zero; every threshold of this data is above that.
        const { feature, missingLeft } = reference.tree;
        const settled = missingLeft.map((left, node) => left || feature[node]! % 5 !== 1);
        expect(grown).toEqual({ ...reference.tree, missingLeft: settled });
        expect(grown.feature.length).toBeGreaterThan(2);
      }
    } finally {
      await engine.close();
    }
  });

  it('splits by the first of features that are alike, in whatever order they are looked at', async () => {
    const alike = treeData(1, { features: 38 });
    for (const { data, stride } of alike.blocks) data.copyWithin(19 * stride, 0, 19 * stride);
    const { engine, quantised } = await start(alike, 'lambdarank(ndcg)', 1, { leaves: 31 });
    try {
      for (let iteration = 1; iteration <= 3; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const work = new ReferenceWork(quantised(iteration));
        const key = hash32(hash32(1, iteration), 0);
        const limits = { leaves: 31, depth: Infinity, leastDocuments: 5, key };
        const reference = growTree(work, { ...limits, step: (sums, parent) => work.step(sums, parent) });
        expect(grown.feature).toEqual(reference.tree.feature);
        expect(grown.bin).toEqual(reference.tree.bin);
        expect(Math.max(...grown.feature)).toBeLessThan(19);
      }
    } finally {
      await engine.close();
    }
  });

  it.each([
    [{ leaves: 31, minLevelDocuments: 3 }],
    [{ leaves: 31, minLevelDocuments: 1, levelSmoothing: 0, l2: 0 }],
    [{ leaves: 15, minLevelDocuments: 1, oneHotLevels: 40, minDocuments: 3 }],
    [{ leaves: 15, minLevelDocuments: 2, levelSmoothing: 1, split: 'squares' }],
    [{ leaves: 31, minLevelDocuments: 2, nodeFeatureShare: 0.5, randomThresholds: true }],
    [{ leaves: 31, minLevelDocuments: 2, interactions: ['10+1', '15+3+10+2'] }],
    [{ leaves: 15, minLevelDocuments: 2, l1: 0.05, maxStep: 0.4, pathSmoothing: 8 }],
    [{ leaves: 31, minLevelDocuments: 2, monotone: ['-1', '+3', '+6', '-8'] }],
    [{ leaves: 31, minLevelDocuments: 2, monotone: [1, 3, -2], l2: 0, queryShare: 0.7 }],
    [{ leaves: 15, minLevelDocuments: 2, featureShare: 0.5, queryShare: 0.6, step: 'gradient' }],
  ])('grows the reference’s trees by category with %o', async options => {
    const { engine, quantised } = await start(categoryData(1), 'lambdarank(ndcg)', 1, options);
    const limits = settle(options, 1000);
    let byCategory = 0;
    try {
      for (let iteration = 1; iteration <= 4; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const reference = referenceTree(quantised(iteration), limits, iteration);
        const { feature, missingLeft, levels } = reference.tree;
        const settled = missingLeft.map((left, node) => left || (!levels[node] && feature[node]! % 5 !== 1));
        expect(grown).toEqual({ ...reference.tree, missingLeft: settled });
        byCategory += levels.filter(level => level !== null).length;
      }
    } finally {
      await engine.close();
    }
    expect(byCategory).toBeGreaterThan(3);
  });

  it('grows the reference’s trees from columns that rows leave out', async () => {
    const options = { leaves: 31, queryShare: 0.9 };
    const { engine, quantised, crew } = await start(treeData(3, { features: 82 }), 'ranknet', 1, options);
    const limits = settle(options, 1000);
    const { columns } = crew.thread;
    const left = new Set<number>();
    try {
      for (let iteration = 1; iteration <= 6; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const { tree } = referenceTree(quantised(iteration), limits, iteration);
        expect({ ...grown, missingLeft: [] }).toEqual({ ...tree, missingLeft: [] });
        for (const f of grown.feature) if (columns.column[f]! >= 8 * columns.rowTiles) left.add(f);
      }
    } finally {
      await engine.close();
    }
    expect([columns.tiles, columns.rowTiles]).toEqual([9, 8]);
    expect(left.size).toBeGreaterThan(0);
  });

  it.each([
    [1, {}],
    [3, {}],
    [3, { rate: 0.5, topShare: 0.3 }],
  ])('grows the reference’s trees from lists and short rows, with %i threads and %o', async (threads, others) => {
    const options = { leaves: 31, ...others };
    const data = treeData(3, { queries: 60, features: 60, zeros: 0.93 });
    const { engine, quantised, crew } = await start(data, 'lambdarank(ndcg)', threads, options);
    const limits = settle(options, data.rows);
    const byList = new Set<number>();
    const { columns } = crew.thread;
    const { place, listed, shortPairs, shortStarts } = crew.memory.arrays;
    try {
      // Rows are put in another order after the first tree.
      for (let iteration = 1; iteration <= 4; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const { tree } = referenceTree(quantised(iteration), limits, iteration);
        expect({ ...grown, missingLeft: [] }).toEqual({ ...tree, missingLeft: [] });
        for (const f of grown.feature) if (place[columns.column[f]!]! < 8 * listed[0]!) byList.add(f);
      }
    } finally {
      await engine.close();
    }
    expect(listed[0]).toBeGreaterThan(1);
    expect(listed[0]).toBeLessThan(columns.tiles);
    expect(shortPairs[0]).toBeGreaterThan(1);
    // Some rows are short, and some are not.
    const short = crew.thread.job.sections.reduce(
      (sum, { firstRow }, section) => sum + shortStarts[STARTS_APART * section + shortPairs[0]!]! - firstRow,
      0,
    );
    expect(short).toBeGreaterThan(data.rows / 4);
    expect(short).toBeLessThan(data.rows);
    expect(byList.size).toBeGreaterThan(3);
  });

  it('grows the reference’s trees from short rows of more columns than names can tell', async () => {
    const options = { leaves: 15 };
    const data = treeData(4, { queries: 60, features: 400, zeros: 0.97 });
    const { engine, quantised, crew } = await start(data, 'ranknet', 2, options);
    const limits = settle(options, data.rows);
    try {
      for (let iteration = 1; iteration <= 3; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const { tree } = referenceTree(quantised(iteration), limits, iteration);
        expect({ ...grown, missingLeft: [] }).toEqual({ ...tree, missingLeft: [] });
      }
    } finally {
      await engine.close();
    }
    expect(crew.memory.arrays.shortPairs[0]).toBe(MOST_SHORT_PAIRS);
    expect(crew.thread.columns.tiles).toBeGreaterThan(2 * MOST_SHORT_PAIRS);
  });

  it('splits by least squares where the paper does', async () => {
    const { engine, quantised } = await start(treeData(1), 'lambdarank(ndcg)', 1, { leaves: 2, split: 'squares' });
    try {
      const { grown } = atOnce(engine.grow(1));
      const { bins, lambda, lambdaUnit } = quantised(1);
      const lambdas = [...lambda].map(own => own * lambdaUnit);
      /** Sum of squared distances from the mean, as in section 3 of Svore et al. */
      const squares = (rows: readonly number[]) => {
        const mean = rows.reduce((sum, row) => sum + lambdas[row]!, 0) / rows.length;
        return rows.reduce((sum, row) => sum + (lambdas[row]! - mean) ** 2, 0);
      };
      const all = lambdas.map((_, row) => row);
      const lessens = (feature: number, bin: number) => {
        const left = all.filter(row => bins[feature]![row]! <= bin);
        const right = all.filter(row => bins[feature]![row]! > bin);
        return Math.min(left.length, right.length) < 5 ? 0 : squares(all) - squares(left) - squares(right);
      };
      // Features 1, 6, 11, … have missing values, which may go to either side.
      const plain = bins.map((_, f) => f).filter(f => f % 5 !== 1);
      const best = Math.max(...plain.flatMap(f => [...new Set(bins[f])].map(bin => lessens(f, bin))));
      expect(plain).toContain(grown.feature[0]);
      expect(lessens(grown.feature[0]!, grown.bin[0]!)).toBeCloseTo(best, 9);
      expect(grown.gain[0]).toBeCloseTo(best, 6);
    } finally {
      await engine.close();
    }
  });

  it('scores every document by its leaves, wherever its bins have gone to', async () => {
    const set = treeData(1);
    // Bins change places after tree 1; the last trees are grown from a sample.
    const options = { leaves: 15, rate: 0.2, topShare: 0.3, otherShare: 0.2 };
    const { engine, crew } = await start(set, 'lambdarank(ndcg)', 1, options);
    try {
      const trees = Array.from({ length: 7 }, (_, i) => atOnce(engine.grow(i + 1)).tree);
      expect(crew.memory.arrays.order.every((row, place) => row === place)).toBe(false);
      const features = (row: number) => {
        const { data, start: first, stride } = set.blocks.find(block => row < block.start + block.rows)!;
        return Array.from({ length: set.features }, (_, f) => data[f * stride + row - first]!);
      };
      const expected = Float32Array.from(crew.tieOrder, row =>
        trees.reduce((sum, tree) => Math.fround(sum + tree.value[leafOf(tree, features(row))]!), 0),
      );
      expect(engine.scores.slice()).toEqual(expected);
    } finally {
      await engine.close();
    }
  });

  it('grows the same trees with any number of threads', async () => {
    // So many documents that every thread has rows of most nodes.
    const sets = [treeData(2, { queries: 1500, features: 14 }), categoryData(2, { queries: 600 })];
    for (const set of sets) {
      const models: unknown[] = [];
      const monotone = set === sets[1] ? ['+1', '-3'] : [];
      const sampled = set === sets[1] ? { queryShare: 0.9 } : { topShare: 0.3, rate: 0.5 };
      for (const threads of [1, 2, 3, 4]) {
        for (const objective of ['lambdarank(ndcg)', 'lambdarank(ap)']) {
          const { engine } = await start(set, objective, threads, { leaves: 31, ...sampled, monotone });
          const trees = Array.from({ length: 5 }, (_, i) => ({
            tree: atOnce(engine.grow(i + 1)).tree,
            values: atOnce(engine.evaluate()),
          }));
          models.push({ objective, trees });
          await engine.close();
        }
      }
      for (let i = 2; i < models.length; i++) expect(models[i]).toEqual(models[i % 2]);
    }
  });
});
