/** Trees by kernels and threads are those that the plain reference grows from the same quantised gradients. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { Random } from '#listwise/random.js';
import { growTree } from '#listwise/training/boosting/grower.js';
import { treeOptions } from '#listwise/training/boosting/options.js';
import { ReferenceWork } from '#listwise/training/boosting/reference/reference-work.js';
import { TreeEngine } from '#listwise/training/boosting/tree-engine.js';

/** Queries with skewed, sparse, constant and partly missing features, the label a noisy function of some. */
function data(seed: number, { queries = 40, features = 19 } = {}): Dataset {
  const random = new Random(seed);
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < queries; q++) {
    const rows = 1 + random.below(60);
    const columns = Float32Array.from({ length: rows * features }, (_, at) => {
      const f = Math.floor(at / rows);
      if (f === 3) return 7;
      if (f % 5 === 1 && random.uniform() < 0.3) return Number.NaN;
      if (f % 3 === 0) return random.uniform() < 0.6 ? 0 : random.below(9);
      return Math.exp(2 * random.gaussian());
    });
    const label = Float64Array.from({ length: rows }, (_, i) => {
      const signal = (columns[i] || 0) + Math.log(columns[2 * rows + i]!) + random.gaussian();
      return random.uniform() < 0.03 ? Number.NaN : Math.max(0, Math.min(4, Math.round(signal / 2)));
    });
    builder.append({
      rows,
      width: features,
      stride: rows,
      columns,
      labels: { label },
      queries: [{ id: `q${q}`, rows }],
    });
  }
  return builder.finish();
}

const start = (set: Dataset, objective: string, threads: number, options: object) =>
  TreeEngine.start({
    data: set,
    validate: undefined,
    objective: parseObjective(objective),
    portable: true,
    options: treeOptions.parse({ minDocuments: 5, ...options }),
    threads,
    seed: 1,
  });

describe('growing trees', () => {
  it.each([
    ['lambdarank(ndcg)', { leaves: 31 }],
    ['lambdarank(ndcg)', { leaves: 8, depth: 3, l2: 0, minGain: 0.5 }],
    ['lambdarank(ap)', { leaves: 15, minDocuments: 40 }],
    ['ranknet', { leaves: 15, bins: 16, minCurvature: 2 }],
    ['lambdarank(ndcg@5)', { leaves: 15, featureShare: 0.5, queryShare: 0.6 }],
    ['lambdarank(ndcg)', { leaves: 15, step: 'gradient' }],
  ])('grows the reference’s trees for %s with %o', async (objective, options) => {
    const engine = await start(data(1), objective, 1, options);
    const limits = treeOptions.parse({ minDocuments: 5, ...options });
    try {
      for (let iteration = 1; iteration <= 4; iteration++) {
        const { grown } = engine.grow(iteration);
        const reference = growTree(new ReferenceWork(engine.quantised()), {
          leaves: limits.leaves,
          depth: limits.depth || Infinity,
          leastDocuments: limits.minDocuments,
        });
        expect(grown).toEqual(reference.tree);
        expect(grown.feature.length).toBeGreaterThan(2);
      }
    } finally {
      await engine.close();
    }
  });

  it('grows the same trees with any number of threads', async () => {
    const set = data(2, { queries: 600, features: 21 });
    const models: unknown[] = [];
    for (const threads of [1, 2, 3, 4]) {
      for (const objective of ['lambdarank(ndcg)', 'lambdarank(ap)']) {
        const engine = await start(set, objective, threads, { leaves: 31, queryShare: 0.9 });
        const trees = Array.from({ length: 5 }, (_, i) => engine.grow(i + 1).tree);
        models.push({ objective, trees });
        await engine.close();
      }
    }
    for (let i = 2; i < models.length; i++) expect(models[i]).toEqual(models[i % 2]);
  });
});
