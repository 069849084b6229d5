/**
 * The grower's work in plain TypeScript: every histogram built from its rows, every split tried in turn. Kept for ever.
 */
import { MISSING_BIN } from '#listwise/kernels/layouts/boosting.js';
import { hash32 } from '#listwise/numeric/random.js';
import type { NodeWork, OpenNode, Split, Sums } from '#listwise/training/boosting/growth/grower.js';
import { type Bounds, boundedValue, boundsBelow, NO_BOUNDS } from '#listwise/training/boosting/growth/monotone.js';
import { type NodeFeatures, nodeMask } from '#listwise/training/boosting/growth/node-features.js';
import { nodeStep } from '#listwise/training/boosting/growth/node-step.js';

/** With the step and the key of the node. */
interface NodeSums extends Sums {
  readonly step: number;
  readonly key: number;
}

export interface QuantisedRows {
  /** bins[feature][row]; 255 is missing, of a wide category 65535. */
  readonly bins: readonly (Uint8Array | Uint16Array)[];
  /** Whether each feature is a category. */
  readonly categories: readonly boolean[];
  /** Direction of each feature, with monotone constraints. */
  readonly monotone?: ArrayLike<number> | undefined;
  readonly leastLevel: number;
  readonly levelSmoothing: number;
  readonly oneHotLevels: number;
  /** Bins of each feature, without the one for missing values. */
  readonly binCounts: readonly number[];
  /** Whole numbers, one a row. */
  readonly lambda: Int32Array;
  readonly hessian: Int32Array;
  /** Rows to grow from. */
  readonly rows: Uint32Array;
  /** Which features the tree may use, and the share of each node. */
  readonly features: NodeFeatures;
  readonly randomThresholds: boolean;
  /** Real value of one unit of lambda and of hessian. */
  readonly lambdaUnit: number;
  readonly hessianUnit: number;
  readonly l1: number;
  readonly l2: number;
  readonly maxStep: number;
  readonly pathSmoothing: number;
  /** Whether splits are by least squares of the lambdas: documents count in the place of hessian and l2. */
  readonly squares: boolean;
  readonly leastDocuments: number;
  readonly leastHessian: number;
  readonly leastGain: number;
}

const NOTHING: Sums = { lambda: 0, hessian: 0, documents: 0 };

export class ReferenceWork implements NodeWork {
  readonly #data: QuantisedRows;
  /** Rows of each leaf. */
  readonly leaves: Uint32Array[];
  /** Of the node whose splits are tried. */
  #bounds = NO_BOUNDS;

  constructor(data: QuantisedRows) {
    this.#data = data;
    this.leaves = [data.rows.slice()];
  }

  root(key: number) {
    const rows = this.leaves[0]!;
    const sums = this.#sums(rows);
    return { sums, split: this.#best(rows, { ...sums, step: this.step(sums, undefined), key }, NO_BOUNDS, []) };
  }

  bounds(node: OpenNode, split: Split, right: Sums): [Bounds, Bounds] {
    const { monotone } = this.#data;
    if (monotone === undefined) return [NO_BOUNDS, NO_BOUNDS];
    const leafValue = ({ lambda, hessian }: Sums, bounds: Bounds) =>
      boundedValue(lambda * this.#data.lambdaUnit, hessian * this.#data.hessianUnit + this.#data.l2, bounds);
    return boundsBelow(split, right, node.bounds, monotone[split.feature]!, leafValue);
  }

  divide(
    node: OpenNode,
    split: Split,
    { left, right, mayGrow }: { left: OpenNode; right: OpenNode; mayGrow: boolean },
  ): [Split | undefined, Split | undefined] {
    const rows = this.leaves[node.leaf]!;
    const bins = this.#data.bins[split.feature]!;
    const goesLeft = (row: number) =>
      split.levels !== undefined
        ? split.levels.includes(bins[row]!)
        : bins[row] === MISSING_BIN
          ? split.missingLeft
          : bins[row]! <= split.bin;
    this.leaves[left.leaf] = rows.filter(goesLeft);
    this.leaves[right.leaf] = rows.filter(row => !goesLeft(row));
    const best = ({ leaf, sums, step, key, bounds, path }: OpenNode) =>
      mayGrow ? this.#best(this.leaves[leaf]!, { ...sums, step, key }, bounds, path) : undefined;
    return [best(left), best(right)];
  }

  #sums(rows: Uint32Array): Sums {
    return rows.reduce((sums, row) => add(sums, this.#own(row)), NOTHING);
  }

  #own(row: number): Sums {
    return { lambda: this.#data.lambda[row]!, hessian: this.#data.hessian[row]!, documents: 1 };
  }

  #best(rows: Uint32Array, whole: NodeSums, bounds: Bounds, path: readonly number[]): Split | undefined {
    this.#bounds = bounds;
    let best: Split | undefined;
    if (rows.length < 2 * this.#data.leastDocuments) return undefined;
    const mask = nodeMask(this.#data.features, whole.key, path);
    for (let feature = 0; feature < this.#data.bins.length; feature++) {
      if (mask[feature] === 0) continue;
      const split = this.#data.categories[feature]
        ? this.#bestLevelsOf(feature, rows, whole)
        : this.#bestOf(feature, rows, whole);
      if (split !== undefined && split.gain > (best?.gain ?? 0)) best = split;
    }
    return best;
  }

  #bestOf(feature: number, rows: Uint32Array, whole: NodeSums): Split | undefined {
    const histogram: Sums[] = Array.from({ length: 256 }, () => NOTHING);
    const bins = this.#data.bins[feature]!;
    for (const row of rows) histogram[bins[row]!] = add(histogram[bins[row]!]!, this.#own(row));
    const missing = histogram[MISSING_BIN]!;
    const only = this.#data.randomThresholds ? this.#drawnBin(feature, histogram, whole.key) : undefined;
    let best: Split | undefined;
    for (const missingLeft of missing.documents > 0 ? [false, true] : [false]) {
      let left = missingLeft ? missing : NOTHING;
      for (let bin = 0; bin < this.#data.binCounts[feature]!; bin++) {
        if (histogram[bin]!.documents === 0 && only === undefined) continue;
        left = add(left, histogram[bin]!);
        if (only !== undefined && bin !== only) continue;
        const gain = this.#gain(left, whole, 0, this.#data.monotone?.[feature]);
        if (gain > (best?.gain ?? 0)) best = { gain, feature, bin, missingLeft, left };
      }
    }
    return best;
  }

  /** From the first bin that has documents to the last but one. */
  #drawnBin(feature: number, histogram: readonly Sums[], key: number): number {
    const filled = [...histogram.keys()].filter(
      bin => bin < this.#data.binCounts[feature]! && histogram[bin]!.documents > 0,
    );
    const [first, last] = [filled[0] ?? 0, filled.at(-1) ?? 0];
    return last > first ? first + (hash32(key, feature) % (last - first)) : first;
  }

  /**
   * Levels in the order of lambda over hessian, smoothed; every beginning and every end of it against the rest, or each
   * level alone where there are few.
   */
  #bestLevelsOf(feature: number, rows: Uint32Array, whole: NodeSums): Split | undefined {
    const { lambdaUnit, hessianUnit, leastLevel, levelSmoothing, oneHotLevels, squares } = this.#data;
    const bins = this.#data.bins[feature]!;
    const histogram: Sums[] = Array.from({ length: this.#data.binCounts[feature]! }, () => NOTHING);
    for (const row of rows) {
      const bin = bins[row]!;
      if (histogram[bin] !== undefined) histogram[bin] = add(histogram[bin], this.#own(row));
    }
    const more = squares ? levelSmoothing : levelSmoothing * ((whole.hessian * hessianUnit) / whole.documents);
    const key = ({ lambda, hessian, documents }: Sums) => {
      const below = (squares ? documents : hessian * hessianUnit) + more;
      return below > 0 ? (lambda * lambdaUnit) / below : 0;
    };
    const listed = [...histogram.keys()].filter(bin => histogram[bin]!.documents >= leastLevel);
    const alone = histogram.length <= oneHotLevels;
    const order = alone ? listed : listed.sort((a, b) => key(histogram[a]!) - key(histogram[b]!) || a - b);
    const sums = (of: readonly number[]) => of.reduce((total, bin) => add(total, histogram[bin]!), NOTHING);
    const onlyListed = sums(order).documents === whole.documents;
    const sets = alone
      ? order.map(bin => [bin])
      : [
          ...order.map((_, i) => order.slice(0, i + 1)),
          ...(onlyListed ? [] : order.map((_, i) => order.slice(order.length - 1 - i))),
        ];
    let best: Split | undefined;
    for (const set of sets) {
      const left = sums(set);
      const gain = this.#gain(left, whole, more);
      if (gain <= (best?.gain ?? 0)) continue;
      const inside = !onlyListed || 2 * left.documents <= whole.documents;
      const levels = (inside ? set : order.filter(bin => !set.includes(bin))).sort((a, b) => a - b);
      best = { gain, feature, bin: 0, missingLeft: false, levels, left: inside ? left : sums(levels) };
    }
    return best;
  }

  /** The gain of the split; 0 where it is not allowed. `more` is added below each side. */
  #gain(left: Sums, whole: NodeSums, more = 0, direction?: number): number {
    const { leastDocuments, leastHessian, leastGain, hessianUnit } = this.#data;
    const right = {
      ...whole,
      lambda: whole.lambda - left.lambda,
      hessian: whole.hessian - left.hessian,
      documents: whole.documents - left.documents,
    };
    if (right.documents === 0 || Math.min(left.documents, right.documents) < leastDocuments) return 0;
    if (Math.min(left.hessian, right.hessian) * hessianUnit < leastHessian) return 0;
    if (direction === undefined && this.#bounds.least === -Infinity && this.#bounds.most === Infinity)
      return this.#plainGain(left, right, whole, more);
    const [one, other, all] = [this.#held(left, more), this.#held(right, more), this.#held(whole, 0)];
    if ((direction ?? 0) * (other.value - one.value) < 0) return 0;
    return one.gain + other.gain - (all.gain + leastGain);
  }

  #plainGain(left: Sums, right: Sums, whole: NodeSums, more: number): number {
    const sides = [left, right].map(side => this.#score(side, more, this.step(side, whole.step, more)));
    return sides[0]! + sides[1]! - (this.#score(whole, 0, whole.step) + this.#data.leastGain);
  }

  /** The value of a leaf within the bounds, and what it gains. */
  #held({ lambda, hessian }: Sums, more: number): { value: number; gain: number } {
    const { lambdaUnit, hessianUnit, l2 } = this.#data;
    const [real, below] = [lambda * lambdaUnit, hessian * hessianUnit + l2 + more];
    const value = boundedValue(real, below, this.#bounds);
    return { value, gain: 2 * real * value - below * value * value };
  }

  /** The step of a node below another, as the grower asks for it. */
  step(sums: Sums, parent: number | undefined, more = 0): number {
    const { lambdaUnit, hessianUnit, l1, l2, maxStep, pathSmoothing } = this.#data;
    const real = { lambda: sums.lambda * lambdaUnit, hessian: sums.hessian * hessianUnit, documents: sums.documents };
    return nodeStep(real, parent, { l1, l2: l2 + more, maxStep, pathSmoothing });
  }

  /** How much a step gains; without anything that keeps it short, the best one does. */
  #score({ lambda, hessian, documents }: Sums, more: number, step: number): number {
    const { lambdaUnit, hessianUnit, l1, l2, maxStep, pathSmoothing, squares } = this.#data;
    const real = lambda * lambdaUnit;
    const below = (squares ? documents : hessian * hessianUnit + l2) + more;
    if (squares || (l1 === 0 && maxStep === Infinity && pathSmoothing === 0)) return (real * real) / below;
    const drawn = Math.sign(real) * Math.max(Math.abs(real) - l1, 0);
    return (2 * drawn - below * step) * step;
  }
}

function add(a: Sums, b: Sums): Sums {
  return { lambda: a.lambda + b.lambda, hessian: a.hessian + b.hessian, documents: a.documents + b.documents };
}
