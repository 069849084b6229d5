/** What the recorded scores of the engines' own classes were made from: the same model and documents from seeds. */
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { randomEnsemble } from '../../models/random-trees.js';
import { documents } from '../ensembles.js';

export const featureNames = ['bm25', 'title', 'age', 'clicks', 'length', 'rank'];
export const DOCUMENTS = 100_000;

/** Leaf values of many digits, so that every rounding shows; the base is a number of its own. */
export function fuzzedTrees(): TreesModel {
  const shape = { features: featureNames.length, leaves: [31, 7, 1, 2, 64, 12, 31, 20], grid: 40, skew: 0.3 };
  const { trees } = randomEnsemble(20, shape);
  return new TreesModel({ featureNames, trees, base: 0.1 });
}

/** Sums so far apart that a sigmoid is flat at both ends. */
export function fuzzedWideTrees(): TreesModel {
  const { trees } = fuzzedTrees();
  return new TreesModel({
    featureNames,
    trees: trees.map(tree => ({ ...tree, value: tree.value.map(value => 6 * value) })),
    base: 0.1,
  });
}

const gaussians = (seed: string, n: number) => {
  const random = new Random(20, seed);
  return Float64Array.from({ length: n }, () => random.gaussian());
};

export function fuzzedLinear(): LinearModel {
  return new LinearModel({ featureNames, weights: gaussians('weights', featureNames.length) });
}

export function fuzzedStandardised(): LinearModel {
  const weights = gaussians('weights', featureNames.length);
  const standardise = { mean: gaussians('mean', 6), scale: gaussians('scale', 6).map(value => value ** 2 + 0.1) };
  return new LinearModel({ featureNames, weights, standardise, missing: new Float64Array(6) });
}

export function fuzzedNet(): NetModel {
  const hidden = [5, 3];
  const parameters = gaussians('net', 6 * 5 + 5 + 5 * 3 + 3 + 3 + 1).map(value => value / 4);
  return new NetModel({ featureNames, hidden, activation: 'relu', parameters });
}

/** At and beside thresholds, zeros of both signs, the smallest and the largest numbers, and missing values. */
export function fuzzedDocuments(): Float32Array[] {
  return documents(20, DOCUMENTS, fuzzedTrees());
}
