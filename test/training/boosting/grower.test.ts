/** Trees by kernels and threads are those that the plain reference grows from the same quantised gradients. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { parseCriterion } from '#listwise/measures/criterion.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { atOnce } from '#listwise/steps.js';
import { growTree } from '#listwise/training/boosting/grower.js';
import { settleOptions, treeOptions } from '#listwise/training/boosting/options.js';
import { ReferenceWork } from '#listwise/training/boosting/reference/reference-work.js';
import { TreeEngine } from '#listwise/training/boosting/tree-engine.js';
import { JudgedMeasures } from '#listwise/training/judged-measures.js';
import { treeData } from './tree-data.js';

/** As many leaves as are asked for, also where there are fewer documents. */
const settle = (options: { leaves: number }, documents: number) => ({
  ...settleOptions(treeOptions.parse({ minDocuments: 5, ...options }), documents),
  leaves: options.leaves,
});

const start = (set: Dataset, objective: string, threads: number, options: { leaves: number; queryShare?: number }) =>
  TreeEngine.start({
    data: set,
    validate: undefined,
    objective: parseObjective(objective),
    measures: new JudgedMeasures(parseCriterion('ndcg@10'), parseMeasures('ap')),
    portable: true,
    boost: true,
    modules: [],
    options: settle(options, set.rows),
    threads,
    seed: 1,
  });

describe('growing trees', () => {
  it.each([
    ['lambdarank(ndcg)', { leaves: 31 }],
    ['lambdarank(ndcg)', { leaves: 8, depth: 3, l2: 0, minGain: 0.5 }],
    ['lambdarank(ap)', { leaves: 15, minDocuments: 40 }],
    ['ranknet', { leaves: 15, bins: 16, minCurvature: 2 }],
    ['normalise(ranknet)', { leaves: 15, bins: 9 }],
    ['lambdarank(ndcg@5)', { leaves: 15, featureShare: 0.5, queryShare: 0.6 }],
    ['lambdarank(ndcg)', { leaves: 15, step: 'gradient' }],
    // Histograms for so many leaves push what follows them beyond 2^31, where addresses are negative numbers to careless code.
    ['lambdarank(ndcg)', { leaves: 32_000 }],
  ])('grows the reference’s trees for %s with %o', async (objective, options) => {
    const engine = await start(treeData(1), objective, 1, options);
    const limits = settle(options, 1000);
    try {
      for (let iteration = 1; iteration <= 4; iteration++) {
        const { grown } = atOnce(engine.grow(iteration));
        const reference = growTree(new ReferenceWork(engine.quantised()), {
          leaves: limits.leaves,
          depth: limits.depth || Infinity,
          leastDocuments: limits.minDocuments,
        });
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

  it('grows the same trees with any number of threads', async () => {
    const set = treeData(2, { queries: 600, features: 21 });
    const models: unknown[] = [];
    for (const threads of [1, 2, 3, 4]) {
      for (const objective of ['lambdarank(ndcg)', 'lambdarank(ap)']) {
        const engine = await start(set, objective, threads, { leaves: 31, queryShare: 0.9 });
        const trees = Array.from({ length: 5 }, (_, i) => ({
          tree: atOnce(engine.grow(i + 1)).tree,
          values: atOnce(engine.judge()),
        }));
        models.push({ objective, trees });
        await engine.close();
      }
    }
    for (let i = 2; i < models.length; i++) expect(models[i]).toEqual(models[i % 2]);
  });
});
