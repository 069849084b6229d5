/**
 * An ensemble of regression trees: score = base + the sum of one leaf value a tree, in the order of the trees. A
 * document with value <= threshold goes left; a missing value goes the way its node learnt. Thresholds are float32 like
 * the features. Sums are float64; models of systems that round every sum to float32 say so, and then score as they do
 * there.
 */

import type { FeatureBlock } from '../../data/dataset.js';
import type { DataDescription } from '../../data/description.js';
import { hasLevel, type LevelSet, levelSet, levelsOf, MOST_LEVELS } from '../../kernels/level-set.js';
import { TreesKernel, treesKernel } from '../../kernels/score-trees.js';
import { isZero } from '../../kernels/trees-plan.js';
import { refuseInfinite } from '../finite-numbers.js';
import { FORMAT, FORMAT_OF_CATEGORIES, modelObject } from '../model-object.js';
import type { ModelReader } from '../model-reader.js';
import { areNarrow, type NumberWidth, readNumbers, widthIn, writtenNumbers } from '../narrow-numbers.js';
import type { ModelJson, Parting, Ranker } from '../ranker.js';
import type { TrainingRecord } from '../training-record.js';
import { partingsOf } from './partings.js';
import { pathContributions } from './path-contributions.js';
import { PlainTrees } from './score-trees.reference.js';
import { TreesPerturbation } from './trees-perturbation.js';

/**
 * Internal nodes by number, the root first; a child c < 0 is leaf ~c. A tree without nodes is its leaf 0.
 *
 * @example
 * import type { Tree } from 'listwise/models';
 *
 * const leaves = (tree: Tree): number => tree.value.length;
 */
export interface Tree {
  readonly feature: Int32Array;
  readonly threshold: Float32Array;
  readonly missingLeft: Uint8Array;
  /** 1 where a zero is a missing value too (LightGBM's `zero_as_missing`); left out where it never is. */
  readonly zeroMissing?: Uint8Array | undefined;
  /**
   * By node, where a split is by category: the levels that go left, a bit each; all others go right, a missing value
   * the way its node learnt. Left out where no split is.
   */
  readonly leftLevels?: readonly (LevelSet | undefined)[] | undefined;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float64Array;
  /** What the split gained and how many training documents came by; for importance and pictures. */
  readonly gain: Float64Array;
  readonly documents: Float64Array;
  /**
   * How many came to each leaf, or their weight as the system that trained the tree counts it (XGBoost's sum of
   * hessians): Shapley values by the paths of training documents need it. Left out where it is not known.
   */
  readonly leafDocuments?: Float64Array | undefined;
}

/** The largest float32, where a threshold has all but missing values on the left: model files hold no infinity. */
export const LARGEST_THRESHOLD = (2 - 2 ** -23) * 2 ** 127;

/** How wide the running sum of leaf values is: float32 rounds it after every tree. */
export type SumWidth = NumberWidth;

/**
 * What a sum of trees is made of.
 *
 * @example
 * import { train } from 'listwise';
 * import type { TreesParts } from 'listwise/models';
 *
 * const { model } = await train({ model: 'trees', data });
 * const parts: Partial<TreesParts> = { trees: model.trees.slice(0, 100) };
 * const shorter = model.with(parts);
 */
export interface TreesParts {
  featureNames: readonly string[];
  trees: readonly Tree[];
  base?: number | undefined;
  sums?: SumWidth | undefined;
  ignoresOthers?: boolean;
  description?: DataDescription | undefined;
  training?: TrainingRecord | undefined;
}

/** Splits on the longest way from the root to a leaf; parents stand before their children. */
function depthOf({ left, right }: Tree): number {
  const above = new Int32Array(left.length);
  for (let node = 0; node < left.length; node++) {
    for (const child of [left[node]!, right[node]!]) if (child >= 0) above[child] = above[node]! + 1;
  }
  return left.length === 0 ? 0 : above.reduce((most, depth) => Math.max(most, depth + 1), 0);
}

/** The kernel's memory has room for about a thousand documents; beyond so many features it would be gigabytes. */
const WIDEST = 1 << 17;
/** And has tables of all splits by category: beyond so many bytes trees are walked. */
const MOST_LEVEL_BYTES = 1 << 28;

function levelBytes(trees: readonly Tree[]): number {
  const sets = trees.flatMap(({ leftLevels }) => leftLevels?.filter(set => set !== undefined) ?? []);
  return sets.length * sets.reduce((most, set) => Math.max(most, 4 * set.length), 0);
}

/**
 * A sum of regression trees.
 *
 * @example
 * import { train } from 'listwise';
 *
 * const { model } = await train({ model: 'trees', data });
 * console.log(model.size(), model.splitUse().gain);
 */
export class TreesModel implements Ranker {
  readonly kind = 'trees';
  readonly featureNames: readonly string[];
  readonly trees: readonly Tree[];
  readonly base: number;
  readonly sums: SumWidth;
  readonly ignoresOthers: boolean;
  readonly description: DataDescription | undefined;
  readonly training: TrainingRecord | undefined;
  /** Laid out at the first use. */
  #kernel: TreesKernel | PlainTrees | undefined;

  constructor(parts: TreesParts) {
    this.featureNames = parts.featureNames;
    this.trees = parts.trees;
    this.sums = parts.sums ?? 'float64';
    this.ignoresOthers = parts.ignoresOthers ?? false;
    this.description = parts.description;
    this.training = parts.training;
    const base = parts.base ?? 0;
    this.base = this.sums === 'float32' ? Math.fround(base) : base;
    refuseInfinite('base', [this.base]);
    for (const { threshold, value } of this.trees) {
      refuseInfinite('threshold', threshold);
      refuseInfinite('value', value);
    }
  }

  /** The model with other parts. */
  with(parts: Partial<TreesParts>): TreesModel {
    return new TreesModel({ ...this, ...parts });
  }

  plus(offset: number): TreesModel {
    return this.with({ base: this.base + offset });
  }

  leastTerms(): number[] {
    return [this.base, ...this.trees.map(tree => tree.value.reduce((a, b) => Math.min(a, b)))];
  }

  scoreBlock(block: FeatureBlock, columns: Int32Array, absent: number, out: Float64Array): void {
    this.#prepared().scoreBlock(block, columns, absent, out);
  }

  /** Nothing is allocated after the first call where n is at most 1024 and `rows` has no more than n rows. */
  scoreRows(rows: Float32Array, n: number, out: Float64Array): void {
    this.#prepared().scoreRows(rows, n, out);
  }

  rowBuffer(n: number): Float32Array | undefined {
    const kernel = this.#prepared();
    return kernel instanceof TreesKernel ? kernel.rowBuffer(n) : undefined;
  }

  #prepared(): TreesKernel | PlainTrees {
    this.#kernel ??= this.#prepare();
    return this.#kernel;
  }

  #prepare(): TreesKernel | PlainTrees {
    const width = this.featureNames.length;
    return treesKernel.available && width <= WIDEST && levelBytes(this.trees) <= MOST_LEVEL_BYTES
      ? new TreesKernel(this.trees, width, this.base, this.sums === 'float32')
      : new PlainTrees(features => this.scoreRow(features), width);
  }

  /** The plain way, which the kernel equals to the bit. */
  scoreRow(features: ArrayLike<number>): number {
    const narrow = this.sums === 'float32';
    let score = this.base;
    for (const tree of this.trees) {
      score += tree.value[leafOf(tree, features)]!;
      if (narrow) score = Math.fround(score);
    }
    return score;
  }

  size() {
    return {
      trees: this.trees.length,
      leaves: this.trees.reduce((sum, { value }) => sum + value.length, 0),
      depth: this.trees.reduce((most, tree) => Math.max(most, depthOf(tree)), 0),
    };
  }

  splitUse() {
    const splits = new Float64Array(this.featureNames.length);
    const gain = new Float64Array(this.featureNames.length);
    for (const tree of this.trees) {
      tree.feature.forEach((feature, node) => {
        splits[feature]!++;
        gain[feature]! += tree.gain[node]!;
      });
    }
    return { splits, gain };
  }

  categoricalFeatures(): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { feature, leftLevels } of this.trees) {
      leftLevels?.forEach((levels, node) => {
        if (levels !== undefined) found.add(this.featureNames[feature[node]!]!);
      });
    }
    return found;
  }

  contributions(rows: Float32Array, n: number): Float64Array {
    return pathContributions(this, rows, n);
  }

  partings(a: ArrayLike<number>, b: ArrayLike<number>): Parting[] {
    return partingsOf(this, a, b);
  }

  /** The same model over these features, among which its feature f is columns[f]; the others count for nothing. */
  withFeatures(featureNames: readonly string[], columns: Int32Array): TreesModel {
    const trees = this.trees.map(tree => ({ ...tree, feature: tree.feature.map(f => columns[f]!) }));
    return this.with({ featureNames, trees });
  }

  perturbation(): TreesPerturbation {
    return new TreesPerturbation(this);
  }

  toJSON(): ModelJson {
    const narrow = this.trees.every(tree => areNarrow(tree.value));
    const format = this.trees.some(tree => tree.leftLevels) ? FORMAT_OF_CATEGORIES : FORMAT;
    const fields = {
      base: this.base,
      ...(this.sums === 'float64' ? {} : { sums: this.sums }),
      ...(narrow ? { values: 'float32' } : {}),
      trees: this.trees.map(tree => ({
        feature: [...tree.feature],
        threshold: writtenNumbers(tree.threshold, true),
        missingLeft: [...tree.missingLeft],
        ...(tree.zeroMissing?.includes(1) ? { zeroMissing: [...tree.zeroMissing] } : {}),
        ...(tree.leftLevels && { leftLevels: writtenLevels(tree.leftLevels) }),
        left: [...tree.left],
        right: [...tree.right],
        value: writtenNumbers(tree.value, narrow),
        gain: [...tree.gain],
        documents: [...tree.documents],
        ...(tree.leafDocuments && { leafDocuments: [...tree.leafDocuments] }),
      })),
    };
    return modelObject(this, fields, format);
  }
}

function writtenLevels(sets: NonNullable<Tree['leftLevels']>) {
  return sets.flatMap((set, node) => (set === undefined ? [] : [{ node, levels: levelsOf(set) }]));
}

/** The sets as a part of a tree, which a tree without splits by category has not. */
export function withLevels(leftLevels: Tree['leftLevels']): Pick<Tree, 'leftLevels'> {
  return leftLevels?.some(set => set !== undefined) ? { leftLevels } : {};
}

/** The leaf that a document reaches. */
export function leafOf(tree: Tree, features: ArrayLike<number>): number {
  if (tree.feature.length === 0) return 0;
  let node = 0;
  do node = childOf(tree, node, features);
  while (node >= 0);
  return ~node;
}

/** Where a document goes from an internal node. */
export function childOf(tree: Tree, node: number, features: ArrayLike<number>): number {
  return goesLeft(tree, node, Math.fround(features[tree.feature[node]!]!)) ? tree.left[node]! : tree.right[node]!;
}

/** Whether a document with this value, a float32, of the node's feature goes left. */
export function goesLeft(
  { threshold, missingLeft, zeroMissing, leftLevels }: Tree,
  node: number,
  value: number,
): boolean {
  const levels = leftLevels?.[node];
  const zeroIsMissing = levels === undefined && zeroMissing?.[node] === 1;
  if (Number.isNaN(value) || (zeroIsMissing && isZero(value))) return missingLeft[node] === 1;
  return levels === undefined ? value <= threshold[node]! : hasLevel(levels, value);
}

/** A set a node from the sets that a file lists; undefined where it lists none. */
function readLevels(part: ModelReader, nodes: number): Tree['leftLevels'] {
  if (!part.has('leftLevels')) return undefined;
  const sets: (LevelSet | undefined)[] = new Array(nodes).fill(undefined);
  for (const split of part.objects('leftLevels')) {
    const node = split.number('node');
    if (!Number.isInteger(node) || node < 0 || node >= nodes || sets[node] !== undefined)
      part.fail(`"leftLevels" has node ${node} of a tree; it must have a node from 0 to ${nodes - 1}, each once`);
    const codes = split.numbers('levels');
    const wrong = codes.find(code => !Number.isInteger(code) || code < 0 || code >= MOST_LEVELS);
    if (wrong !== undefined)
      part.fail(`"leftLevels" of node ${node} of a tree holds level ${wrong}; it must be a whole number from 0`);
    sets[node] = levelSet(codes);
  }
  return sets;
}

export function readTrees(reader: ModelReader): TreesModel {
  const features = reader.featureNames.length;
  const sums = widthIn(reader, 'sums');
  const narrow = widthIn(reader, 'values') === 'float32';
  const trees = reader.objects('trees').map((part): Tree => {
    const feature = part.numbers('feature');
    const nodes = feature.length;
    const written = part.numbers('value', nodes + 1);
    const whole = (key: string, least: number, most: number) => {
      const numbers = part.numbers(key, nodes);
      const wrong = numbers.findIndex(number => !Number.isInteger(number) || number < least || number > most);
      if (wrong >= 0)
        part.fail(
          `"${key}" of node ${wrong} of a tree is ${numbers[wrong]}; it must be a whole number from ${least} to ${most}`,
        );
      return numbers;
    };
    // A child is a later node or a leaf: trees cannot loop.
    const children = (key: string) => {
      const numbers = whole(key, -nodes - 1, nodes - 1);
      const wrong = numbers.findIndex((child, node) => child >= 0 && child <= node);
      if (wrong >= 0)
        part.fail(`"${key}" of node ${wrong} of a tree is ${numbers[wrong]}; a child comes after its parent`);
      return Int32Array.from(numbers);
    };
    const [left, right] = [children('left'), children('right')];
    // There are as many children as nodes below the root and leaves: where no two are the same, each has one parent.
    const reached = new Set<number>();
    for (const child of [...left, ...right]) {
      if (reached.has(child)) {
        part.fail(
          `${child < 0 ? `leaf ${~child}` : `node ${child}`} of a tree is reached in two ways; it has one parent`,
        );
      }
      reached.add(child);
    }
    return {
      feature: Int32Array.from(whole('feature', 0, features - 1)),
      threshold: Float32Array.from(part.numbers('threshold', nodes)),
      missingLeft: Uint8Array.from(whole('missingLeft', 0, 1)),
      ...withLevels(readLevels(part, nodes)),
      ...(part.has('zeroMissing') ? { zeroMissing: Uint8Array.from(whole('zeroMissing', 0, 1)) } : {}),
      left,
      right,
      value: readNumbers(written, narrow),
      gain: Float64Array.from(part.numbers('gain', nodes)),
      documents: Float64Array.from(part.numbers('documents', nodes)),
      ...(part.has('leafDocuments') ? { leafDocuments: readCovers(part, nodes + 1) } : {}),
    };
  });
  return new TreesModel({ featureNames: reader.featureNames, trees, base: reader.number('base'), sums });
}

function readCovers(part: ModelReader, leaves: number): Float64Array {
  const numbers = part.numbers('leafDocuments', leaves);
  const wrong = numbers.findIndex(number => number < 0);
  if (wrong >= 0) part.fail(`"leafDocuments" of leaf ${wrong} of a tree is ${numbers[wrong]}; it must be at least 0`);
  return Float64Array.from(numbers);
}
