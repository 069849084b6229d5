/**
 * Ensembles and documents for tests of formats: values at thresholds, next to them, zeros of both signs, tiny ones and
 * missing.
 */
import { type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { type EnsembleShape, randomEnsemble } from '../models/random-trees.js';

/**
 * Leaf values are whole numbers, so that every sum is exact in 32 bits: scores must then be equal to the bit
 * everywhere.
 */
export function wholeEnsemble(seed: number, shape: EnsembleShape, names?: readonly string[]): TreesModel {
  const { trees, featureNames } = randomEnsemble(seed, shape);
  const whole = trees.map(tree => ({ ...tree, value: tree.value.map(value => Math.round(100 * value)) }));
  return new TreesModel({ featureNames: names ?? featureNames, trees: whole, base: 7 });
}

/** Missing values go where a zero goes, as a format without missing values has it. */
export function zeroWhereMissing(model: TreesModel): TreesModel {
  const trees = model.trees.map(
    (tree): Tree => ({ ...tree, missingLeft: Uint8Array.from(tree.threshold, threshold => (0 <= threshold ? 1 : 0)) }),
  );
  return new TreesModel({ ...model, trees });
}

export function documents(seed: number, n: number, model: TreesModel): Float32Array[] {
  const random = new Random(seed, 'documents');
  const thresholds = model.trees.flatMap(tree => [...tree.threshold]);
  const bits = new Int32Array(1);
  const near = new Float32Array(bits.buffer);
  return Array.from({ length: n }, () =>
    Float32Array.from(model.featureNames, () => {
      const threshold = thresholds[random.below(thresholds.length)] ?? 0;
      near[0] = threshold;
      if (threshold !== 0) bits[0]! += random.below(2) === 0 ? 1 : -1;
      const special = [Number.NaN, 0, -0, 2 ** -149, -(2 ** -149), 1e-36, -1e-36, 3e38, -3e38, 10 * random.gaussian()];
      const kind = random.below(4);
      return kind < 2 ? threshold : kind === 2 ? near[0]! : special[random.below(special.length)]!;
    }),
  );
}
