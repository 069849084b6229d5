/**
 * The grower's work in plain TypeScript: every histogram built from its rows, every split tried in turn. Kept for ever.
 */
import { MISSING_BIN } from '#listwise/kernels/layouts/boosting.js';
import type { NodeWork, OpenNode, Split, Sums } from '#listwise/training/boosting/growth/grower.js';

export interface QuantisedRows {
  /** bins[feature][row]; 255 is missing. */
  readonly bins: readonly Uint8Array[];
  /** Bins of each feature, without the one for missing values. */
  readonly binCounts: readonly number[];
  /** Whole numbers, one a row. */
  readonly lambda: Int32Array;
  readonly hessian: Int32Array;
  /** Rows to grow from. */
  readonly rows: Uint32Array;
  /** Which features may be used. */
  readonly mask: ArrayLike<number>;
  /** Real value of one unit of lambda and of hessian. */
  readonly lambdaUnit: number;
  readonly hessianUnit: number;
  readonly l2: number;
  /** Whether splits are by least squares of the lambdas: documents count in the place of hessian and l2. */
  readonly squares: boolean;
  readonly leastDocuments: number;
  readonly leastHessian: number;
  readonly leastGain: number;
}

const NOTHING: Sums = { lambda: 0, hessian: 0, documents: 0 };

export class ReferenceWork implements NodeWork {
  readonly #data: QuantisedRows;
  /** Rows by node: start..start + documents. */
  readonly index: Uint32Array;

  constructor(data: QuantisedRows) {
    this.#data = data;
    this.index = data.rows.slice();
  }

  root() {
    const sums = this.#sums(this.index);
    return { sums, split: this.#best(this.index, sums) };
  }

  partition(node: OpenNode, split: Split): void {
    const rows = this.#rowsOf(node);
    const bins = this.#data.bins[split.feature]!;
    const goesLeft = (row: number) => (bins[row] === MISSING_BIN ? split.missingLeft : bins[row]! <= split.bin);
    const sorted = [...rows.filter(goesLeft), ...rows.filter(row => !goesLeft(row))];
    this.index.set(sorted, node.start);
  }

  children(_parent: OpenNode, left: OpenNode, right: OpenNode): [Split | undefined, Split | undefined] {
    const best = (node: OpenNode) => this.#best(this.#rowsOf(node), node.sums);
    return [best(left), best(right)];
  }

  #rowsOf({ start, sums }: OpenNode): Uint32Array {
    return this.index.slice(start, start + sums.documents);
  }

  #sums(rows: Uint32Array): Sums {
    return rows.reduce((sums, row) => add(sums, this.#own(row)), NOTHING);
  }

  #own(row: number): Sums {
    return { lambda: this.#data.lambda[row]!, hessian: this.#data.hessian[row]!, documents: 1 };
  }

  #best(rows: Uint32Array, whole: Sums): Split | undefined {
    let best: Split | undefined;
    if (rows.length < 2 * this.#data.leastDocuments) return undefined;
    for (let feature = 0; feature < this.#data.bins.length; feature++) {
      if (!this.#data.mask[feature]) continue;
      const split = this.#bestOf(feature, rows, whole);
      if (split !== undefined && split.gain > (best?.gain ?? 0)) best = split;
    }
    return best;
  }

  #bestOf(feature: number, rows: Uint32Array, whole: Sums): Split | undefined {
    const histogram: Sums[] = Array.from({ length: 256 }, () => NOTHING);
    const bins = this.#data.bins[feature]!;
    for (const row of rows) histogram[bins[row]!] = add(histogram[bins[row]!]!, this.#own(row));
    const missing = histogram[MISSING_BIN]!;
    let best: Split | undefined;
    for (const missingLeft of missing.documents > 0 ? [false, true] : [false]) {
      let left = missingLeft ? missing : NOTHING;
      for (let bin = 0; bin < this.#data.binCounts[feature]!; bin++) {
        if (histogram[bin]!.documents === 0) continue;
        left = add(left, histogram[bin]!);
        const gain = this.#gain(left, whole);
        if (gain > (best?.gain ?? 0)) best = { gain, feature, bin, missingLeft, left };
      }
    }
    return best;
  }

  /** The gain of the split; 0 where it is not allowed. */
  #gain(left: Sums, whole: Sums): number {
    const { leastDocuments, leastHessian, leastGain, hessianUnit } = this.#data;
    const right = {
      ...whole,
      lambda: whole.lambda - left.lambda,
      hessian: whole.hessian - left.hessian,
      documents: whole.documents - left.documents,
    };
    if (right.documents === 0 || Math.min(left.documents, right.documents) < leastDocuments) return 0;
    if (Math.min(left.hessian, right.hessian) * hessianUnit < leastHessian) return 0;
    return this.#score(left) + this.#score(right) - (this.#score(whole) + leastGain);
  }

  #score({ lambda, hessian, documents }: Sums): number {
    const { lambdaUnit, hessianUnit, l2, squares } = this.#data;
    const real = lambda * lambdaUnit;
    return (real * real) / (squares ? documents : hessian * hessianUnit + l2);
  }
}

function add(a: Sums, b: Sums): Sums {
  return { lambda: a.lambda + b.lambda, hessian: a.hessian + b.hessian, documents: a.documents + b.documents };
}
