import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathsExplainer } from '#listwise/models/shapley/paths-explainer.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { type EnsembleShape, randomEnsemble, randomRows } from '../random-trees.js';
import { blockOf, close } from './block-of.js';
import { shapes, tenFeatures } from './shapes.js';
import { type Game, shapleyInteractions, shapleyValues } from './shapley.reference.js';
import { expected, treeShap } from './tree-shap.reference.js';

function explained(model: TreesModel, rows: Float32Array) {
  const features = model.featureNames.length;
  const { block, columns } = blockOf(rows, features);
  const explainer = new PathsExplainer(model);
  const values = new Float64Array(block.rows * (features + 1));
  explainer.values(block, columns, 0, values);
  return { explainer, block, columns, values };
}

function gameOf(model: TreesModel, row: ArrayLike<number>): Game {
  return known =>
    model.trees.reduce((sum, tree) => sum + expected(tree, row, f => (known & (1 << f)) !== 0), model.base);
}

describe('Shapley values by paths', () => {
  it('are those of every subset of features', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 1000 }), (shape, seed) => {
        const model = randomEnsemble(seed, shape);
        const rows = randomRows(seed, 2, shape, 0.2);
        const { values, explainer } = explained(model, rows);
        const width = shape.features + 1;
        for (let i = 0; i < 2; i++) {
          const row = rows.subarray(i * shape.features, (i + 1) * shape.features);
          const game = gameOf(model, row);
          close(values.subarray(i * width), [...shapleyValues(game, shape.features), game(0)], 1e-11);
          expect(explainer.base).toBeCloseTo(game(0), 12);
        }
      }),
      { numRuns: 40, examples: [[tenFeatures, 1]] },
    );
  });

  it('are those of the recursion over paths, and add up to the score', () => {
    const shape: EnsembleShape = {
      features: 40,
      leaves: [255, 31, 2, 1, 90],
      grid: 60,
      skew: 0.3,
      zeroMissing: 0.1,
      categories: { share: 0.2, levels: 50 },
    };
    const model = randomEnsemble(5, shape);
    const n = 600;
    const rows = randomRows(6, n, shape, 0.1);
    const { values } = explained(model, rows);
    const width = shape.features + 1;
    for (let i = 0; i < n; i++) {
      const row = rows.subarray(i * shape.features, (i + 1) * shape.features);
      const own = values.subarray(i * width, (i + 1) * width);
      expect(Math.abs(own.reduce((sum, value) => sum + value, 0) - model.scoreRow(row))).toBeLessThan(1e-10);
      if (i % 60 > 0) continue;
      const wanted = new Float64Array(shape.features);
      for (const tree of model.trees) {
        for (const [f, value] of treeShap(tree, row, shape.features).entries()) wanted[f]! += value;
      }
      close(own, wanted, 1e-9);
    }
  });

  it('of long chains add up to the score', () => {
    const shape: EnsembleShape = { features: 120, leaves: [200], grid: 500, skew: 1 };
    const model = randomEnsemble(7, shape);
    const rows = randomRows(8, 20, shape, 0.1);
    const { values } = explained(model, rows);
    for (let i = 0; i < 20; i++) {
      const score = model.scoreRow(rows.subarray(i * 120, (i + 1) * 120));
      const sum = values.subarray(i * 121, (i + 1) * 121).reduce((all, value) => all + value, 0);
      expect(Math.abs(sum - score)).toBeLessThan(1e-10);
    }
  });

  it('have the interactions of every subset of features', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 1000 }), (shape, seed) => {
        const { features } = shape;
        const model = randomEnsemble(seed, shape);
        const rows = randomRows(seed, 2, shape, 0.2);
        const { explainer, block, columns } = explained(model, rows);
        const width = features + 1;
        const found = new Float64Array(2 * width * width);
        explainer.interactions(block, columns, 0, found);
        for (let i = 0; i < 2; i++) {
          const game = gameOf(model, rows.subarray(i * features, (i + 1) * features));
          const wanted = shapleyInteractions(game, features).flatMap(row => [...row, 0]);
          close(found.subarray(i * width * width), [...wanted, ...Array(features).fill(0), game(0)], 1e-11);
        }
      }),
      { numRuns: 30, examples: [[tenFeatures, 1]] },
    );
  });

  // Two, four, six, eight and ten points of the quadrature.
  it.each([3, 7, 12, 16, 17])('have the interactions of every subset of %i features, all on one path', features => {
    const shape = { features, leaves: [features + 1], grid: 9, skew: 1 };
    const [chain] = randomEnsemble(9, shape).trees;
    const tree = { ...chain!, feature: chain!.feature.map((_, node) => node) };
    const model = new TreesModel({
      featureNames: Array.from({ length: features }, (_, f) => String(f)),
      trees: [tree],
    });
    const rows = randomRows(10, 1, shape, 0.1);
    const { explainer, block, columns, values } = explained(model, rows);
    const width = features + 1;
    const found = new Float64Array(width * width);
    explainer.interactions(block, columns, 0, found);
    const game = gameOf(model, rows);
    close(values, [...shapleyValues(game, features), game(0)], 1e-11);
    const wanted = shapleyInteractions(game, features).flatMap(row => [...row, 0]);
    close(found, [...wanted, ...Array(features).fill(0), game(0)], 1e-11);
    expect(wanted.filter(value => value !== 0).length).toBeGreaterThan(features);
  });

  it('are refused where a model does not say where training documents went', () => {
    const { trees, featureNames } = randomEnsemble(1, { features: 2, leaves: [3], grid: 5, skew: 0 });
    const without = new TreesModel({ featureNames, trees: trees.map(tree => ({ ...tree, leafDocuments: undefined })) });
    expect(() => new PathsExplainer(without)).toThrowError(
      /tree 1 of the model does not say how many training documents came to its leaves.*`background`/,
    );
  });
});
