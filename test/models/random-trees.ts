/** Random ensembles for tests: thresholds and values from one small grid, so that values often equal thresholds. */
import { levelSet } from '#listwise/kernels/level-set.js';
import { type SumWidth, type Tree, TreesModel, withLevels } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';

export interface EnsembleShape {
  features: number;
  /** Leaves of each tree. */
  leaves: readonly number[];
  /** How many different values there are. */
  grid: number;
  /** 0 splits a large leaf, 1 the newest one (a chain). */
  skew: number;
  sums?: SumWidth;
  /** Share of nodes for which a zero is missing. */
  zeroMissing?: number;
  /** Share of nodes that split by category, and codes from 0 up to this. */
  categories?: { share: number; levels: number } | undefined;
}

export function gridValue(random: Random, grid: number): number {
  const k = random.below(grid) - (grid >> 1);
  return k === 0 && random.below(2) === 0 ? -0 : Math.fround(k / 7);
}

export function randomTree(random: Random, shape: EnsembleShape, leaves: number): Tree {
  const nodes = leaves - 1;
  const left = new Int32Array(nodes);
  const right = new Int32Array(nodes);
  // Where each leaf hangs.
  const parents: { child: Int32Array; node: number; weight: number }[] = [];
  for (let node = 0; node < nodes; node++) {
    let split = Math.max(0, parents.length - 1);
    for (let tries = random.uniform() >= shape.skew && parents.length > 0 ? 8 : 0; tries > 0; tries--) {
      const other = random.below(parents.length);
      if (parents[other]!.weight > parents[split]!.weight) split = other;
    }
    const parent = parents[split];
    if (parent) parent.child[parent.node] = node;
    const weight = parent?.weight ?? 1;
    const share = random.uniform();
    parents[split] = { child: left, node, weight: weight * share };
    parents.push({ child: right, node, weight: weight * (1 - share) });
  }
  parents.forEach(({ child, node }, leaf) => {
    child[node] = ~leaf;
  });
  return {
    feature: Int32Array.from({ length: nodes }, () => random.below(shape.features)),
    threshold: Float32Array.from({ length: nodes }, () => gridValue(random, shape.grid)),
    missingLeft: Uint8Array.from({ length: nodes }, () => random.below(2)),
    ...withLevels(shape.categories && randomLevels(random, nodes, shape.categories)),
    left,
    right,
    value: Float64Array.from({ length: leaves }, () => random.gaussian()),
    gain: Float64Array.from({ length: nodes }, () => random.uniform()),
    documents: new Float64Array(nodes),
    leafDocuments: Float64Array.from({ length: leaves }, () => 1 + random.below(50)),
    ...(shape.zeroMissing
      ? { zeroMissing: Uint8Array.from({ length: nodes }, () => (random.uniform() < shape.zeroMissing! ? 1 : 0)) }
      : {}),
  };
}

function randomLevels(random: Random, nodes: number, { share, levels }: { share: number; levels: number }) {
  return Array.from({ length: nodes }, () => {
    if (random.uniform() >= share) return undefined;
    const most = 1 + random.below(levels);
    return levelSet(Array.from({ length: 1 + random.below(most) }, () => random.below(most)));
  });
}

export function randomEnsemble(seed: number, shape: EnsembleShape): TreesModel {
  const random = new Random(seed, 'ensemble');
  return new TreesModel({
    featureNames: Array.from({ length: shape.features }, (_, f) => String(f + 1)),
    trees: shape.leaves.map(leaves => randomTree(random, shape, leaves)),
    base: random.gaussian(),
    sums: shape.sums,
  });
}

/** Rows of values from the grid, some missing; half of them codes where there are categories. */
export function randomRows(seed: number, n: number, shape: EnsembleShape, missing: number): Float32Array {
  const random = new Random(seed, 'rows');
  const { categories } = shape;
  return Float32Array.from({ length: n * shape.features }, () => {
    if (random.uniform() < missing) return Number.NaN;
    if (categories !== undefined && random.below(2) === 0)
      return random.below(2 * categories.levels) / (1 + random.below(2));
    return gridValue(random, shape.grid);
  });
}
