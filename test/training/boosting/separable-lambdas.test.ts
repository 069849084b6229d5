/** Lambdas by the kernel that takes many queries at once are those of the objective, query by query. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { partsOf } from '#listwise/data/parts.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { planLayout } from '#listwise/training/boosting/memory/layout.js';
import { runMemory } from '#listwise/training/boosting/memory/run-memory.js';
import { fillSeparableTables, separableLambdas } from '#listwise/training/boosting/memory/separable-tables.js';
import { sectionsOf } from '#listwise/training/boosting/rows/sections.js';
import { TreeTasks } from '#listwise/training/boosting/tasks/tree-tasks.js';

interface Query {
  documents: { score: number; label: number; clicks: number }[];
  weight: number;
}

const queries = (longest: number, span: number) =>
  fc.array(
    fc.record({
      documents: fc.array(
        fc.record({
          score: fc.double({ min: -span, max: span, noNaN: true }).map(Math.fround),
          label: fc.constantFrom(0, 0, 0, 1, 2, 3, 4, Number.NaN),
          clicks: fc.constantFrom(0, 0, 1, 2),
        }),
        { minLength: 1, maxLength: longest },
      ),
      weight: fc.constantFrom(0.5, 1, 3),
    }),
    { minLength: 1, maxLength: 4 },
  );

function datasetOf(list: readonly Query[]): { data: Dataset; scores: Float32Array } {
  const documents = list.flatMap(query => query.documents);
  const offsets = [0];
  for (const query of list) offsets.push(offsets.at(-1)! + query.documents.length);
  const data = new Dataset({
    featureNames: [],
    blocks: [],
    offsets: Uint32Array.from(offsets),
    queryIds: list.map((_, q) => `q${q}`),
    labels: new Map([
      ['label', Float64Array.from(documents, document => document.label)],
      ['clicks', Float64Array.from(documents, document => document.clicks)],
    ]),
    queryWeights: Float64Array.from(list, query => query.weight),
  });
  return { data, scores: Float32Array.from(documents, document => document.score) };
}

/** Lambda and hessian of each row by the kernel, and the pairs with a lambda; `before` were scores of trees before. */
function byKernel(spec: string, data: Dataset, scores: Float32Array, before: readonly Float32Array[] = []) {
  const objective = parseObjective(spec);
  const longest = Math.max(...Array.from({ length: data.queries }, (_, q) => data.offsets[q + 1]! - data.offsets[q]!));
  const parts = partsOf(data, 50);
  const sizes = { rows: data.rows, queries: data.queries, parts: parts.length, longest };
  const sizeless = { validationRows: 0, wide: 0, widest: 0, setWords: 0 };
  const layout = planLayout({ ...sizes, ...sizeless, features: 1, leaves: 2, threads: 1, sections: 1, sample: 1 });
  const memory = runMemory(layout);
  const { pairs, lambdas } = separableLambdas(objective)!;
  fillSeparableTables(pairs, data, memory);
  const none = {
    sample: { blocks: [], firstFeature: 0, rows: new Uint32Array(0) },
    categories: [],
    monotone: undefined,
    groups: undefined,
    tieOrder: new Uint32Array(0),
    bins: 2,
    validation: undefined,
    measures: [],
  };
  const shared = { memory, data, seen: data, objective, parts, sections: sectionsOf(parts, 1) };
  const evaluated = { parts: [], values: [], training: [] };
  const tasks = new TreeTasks({ ...none, ...shared, evaluated, thread: 0, separable: lambdas });
  memory.tree.newton = 1;
  for (const own of [...before, scores]) {
    memory.arrays.scores.set(own);
    // Other tasks leave anything behind: this reads as NaN.
    memory.arrays.threads.fill(255);
    parts.forEach((_, part) => {
      tasks.run(tasks.kind('lambdas'), part);
    });
  }
  return { lambdas: memory.arrays.lambdas, pairs: memory.arrays.pairs.reduce((sum, part) => sum + part, 0) };
}

function expectEqual(spec: string, list: readonly Query[], { countPairs = true } = {}): void {
  const { data, scores } = datasetOf(list);
  const kernel = byKernel(spec, data, scores);
  const run = parseObjective(spec).start(data);
  const view = new DatasetView(data);
  let pairs = 0;
  for (let q = 0; q < data.queries; q++) {
    view.moveTo(q, scores);
    const own = { lambda: new Float64Array(view.n), hessian: new Float64Array(view.n) };
    pairs += run.lambdas(view, own);
    // Sums of float32 terms: the error goes with the largest lambda of the query.
    const weight = list[q]!.weight;
    const scale = weight * Math.max(1e-30, ...own.lambda.map(Math.abs), ...own.hessian);
    for (let i = 0; i < view.n; i++) {
      const at = 2 * (data.offsets[q]! + i);
      const apart = [kernel.lambdas[at]! - weight * own.lambda[i]!, kernel.lambdas[at + 1]! - weight * own.hessian[i]!];
      for (const difference of apart) expect(Math.abs(difference), `document ${i}`).toBeLessThanOrEqual(2e-5 * scale);
    }
  }
  if (countPairs) expect(kernel.pairs).toBe(pairs);
}

const objectives = [
  'ranknet',
  'normalise(ranknet)',
  'lambdarank(ndcg)',
  'lambdarank(ndcg@3)',
  'lambdarank(p(rel=2)@4)',
  'normalise(lambdarank(ndcg))',
  'normalise(lambdarank(rbp))',
  'normalise(lambdarank(ndcg@1))',
  'lambdarank(ndcg,factor=close)',
  'normalise(lambdarank(ndcg@3,factor=close))',
  'lambdarank(ndcg,top=3)',
  'lambdarank(ndcg@8,top=2)',
  'lambdarank(ndcg@2,top=5)',
  'lambdarank(p@6,top=2)',
  'normalise(lambdarank(ndcg,top=15,factor=close))',
  // Gains of other labels than those that make the pairs.
  'lambdarank(ndcg(labels=clicks),labels=label)',
  'lambdarank(ndcg(labels=clicks)@2,labels=label)',
];

describe('separable lambdas', () => {
  it.each(objectives)('equal those of %s', spec => {
    fc.assert(
      fc.property(queries(40, 5), list => expectEqual(spec, list)),
      { numRuns: 60 },
    );
  });

  it.each(objectives)('equal those of %s for scores far apart', spec => {
    fc.assert(
      // Lambdas of pairs so far apart may fall below the range of float32: they are not counted.
      fc.property(queries(12, 200), list => expectEqual(spec, list, { countPairs: false })),
      { numRuns: 60 },
    );
  });

  it.each(objectives)('equal those of %s for scores as far apart as powers go', spec => {
    fc.assert(
      fc.property(queries(40, 39), list => expectEqual(spec, list, { countPairs: false })),
      { numRuns: 60 },
    );
  });

  it('equal those of large gains', () => {
    const documents = [
      { score: 20, label: 0, clicks: 0 },
      { score: -20, label: 100, clicks: 0 },
      { score: 0, label: 60, clicks: 0 },
    ];
    for (const spec of ['lambdarank(dcg)', 'lambdarank(dcg,factor=close)'])
      expectEqual(spec, [{ documents, weight: 1 }]);
  });

  it.each(objectives)('equal those of %s for long queries', spec => {
    const documents = Array.from({ length: 700 }, (_, i) => ({
      score: Math.fround(((i * 7919) % 701) / 100),
      label: (i * 31) % 5,
      clicks: (i * 17) % 3,
    }));
    expectEqual(spec, [{ documents, weight: 1 }]);
  });

  it.each([
    'normalise(ranknet)',
    'lambdarank(ndcg)',
    'lambdarank(ndcg,top=30,factor=close)',
    'lambdarank(ndcg,top=1500)',
  ])('equal those of %s for a query that takes several calls', spec => {
    const documents = Array.from({ length: 4500 }, (_, i) => ({
      score: Math.fround(Math.sin(i) + (i % 5) / 4),
      label: (i * 7) % 5,
      clicks: 0,
    }));
    expectEqual(spec, [{ documents, weight: 1 }], { countPairs: false });
  });

  it('are not there for pairs of a top rank that all weigh the same', () => {
    const objective = parseObjective('ranknet');
    const { form } = objective;
    if (form?.kind !== 'pairs') throw new Error('ranknet is made of pairs');
    expect(separableLambdas({ ...objective, form: { kind: 'pairs', plan: { ...form.plan, top: 3 } } })).toBeUndefined();
  });

  it.each(objectives)('of %s do not depend on the order of the tree before', spec => {
    const few = fc.constantFrom(-1, 0, 0.5, 1, 2);
    fc.assert(
      fc.property(queries(40, 3), fc.array(few, { minLength: 160, maxLength: 160 }), (list, others) => {
        const { data, scores } = datasetOf(list);
        // Many of them are equal.
        const before = scores.map((score, i) => score + others[i]!);
        const tied = scores.map((_, i) => others[i]!);
        expect(byKernel(spec, data, tied, [before, scores])).toEqual(byKernel(spec, data, tied));
      }),
      { numRuns: 30 },
    );
  });

  it.each(['lambdarank(ap)', 'sigmoid(ndcg)', 'normalise(squared)', 'normalise(normalise(ranknet))', 'listnet'])(
    'are not there for %s',
    spec => {
      expect(separableLambdas(parseObjective(spec))).toBeUndefined();
    },
  );
});
