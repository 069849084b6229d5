/** The sweep of any measure: a query is evaluated anew between crossings, ties and all. */
import type { Dataset } from '../data/dataset.js';
import { countedValue, evaluateQuery } from '../measures/evaluate.js';
import { needsJudged, swapTables } from '../measures/forms/swap.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';
import { NumberSorter } from '../numeric/sort-numbers.js';
import { partOf, type Steps } from '../steps.js';
import { Blocks, crossing } from './blocks.js';
import type { Line, Sweep, SweepOutput } from './sweep.js';

/** Crossings as near as that share are one point. */
const TOGETHER = 1e-12;

/** Documents that are evaluated between two steps, at least. */
const ROWS_A_STEP = 256;

export class EvaluatedSweep implements Sweep {
  readonly #data: Dataset;
  readonly #measure: Measure;
  readonly #view: DatasetView;
  readonly #blocks: Blocks;
  /** By block: those above. By document: scores that rank as blocks do. */
  readonly #above: Float64Array;
  readonly #scores: Float64Array;
  readonly #crossings = new NumberSorter();
  readonly #breakpoints = new NumberSorter();
  #at = new Float64Array(0);
  #pairs = new Uint32Array(0);
  #found = new Float64Array(0);
  #changes = new Float64Array(0);
  /** Documents evaluated since the last step. */
  #rows = 0;

  constructor(data: Dataset, measure: Measure, longest: number) {
    this.#data = data;
    this.#measure = measure;
    this.#view = new DatasetView(data, 'expected', { remember: true });
    this.#blocks = new Blocks(longest);
    this.#above = new Float64Array(longest);
    this.#scores = new Float64Array(longest);
  }

  most(query: number): number {
    const n = this.#data.offsets[query + 1]! - this.#data.offsets[query]!;
    return (n * (n - 1)) / 2;
  }

  *run(firstQuery: number, lastQuery: number, line: Line, { first, at, change }: SweepOutput): Steps<number> {
    let most = 0;
    let largest = 0;
    for (let q = firstQuery; q < lastQuery; q++) {
      most += this.most(q);
      largest = Math.max(largest, this.most(q));
    }
    if (this.#at.length < largest) {
      this.#at = new Float64Array(largest);
      this.#pairs = new Uint32Array(2 * largest);
    }
    if (this.#found.length < most) {
      this.#found = new Float64Array(most);
      this.#changes = new Float64Array(most);
    }
    const queries = lastQuery - firstQuery;
    let count = 0;
    for (let q = firstQuery; q < lastQuery; q++) {
      const done = (q - firstQuery) / queries;
      count = yield* partOf(this.#query(q, line, first, count), done, done + 1 / queries);
    }
    const order = this.#breakpoints.sort(this.#found, count);
    for (let k = 0; k < count; k++) {
      at[k] = this.#found[order[k]!]!;
      change[k] = this.#changes[order[k]!]!;
    }
    return count;
  }

  /** Adds the breakpoints of a query to those found; returns how many there are then. */
  *#query(q: number, { start, slope }: Line, first: Float64Array, found: number): Steps<number> {
    const measure = this.#measure;
    const begin = this.#data.offsets[q]!;
    const end = this.#data.offsets[q + 1]!;
    const blocks = this.#blocks.find(start.subarray(begin, end), slope.subarray(begin, end));
    for (let b = 0; b < blocks.count; b++) this.#above[b] = b;
    const counted = countedValue(measure, yield* this.#evaluate(q, 0));
    let value = Number.isNaN(counted) ? counted : measure.aggregate.of(counted);
    first[q] = value;
    if (Number.isNaN(measure.value(this.#view))) return found;
    const alike = this.#alike();
    const crossings = this.#cross(blocks, start.subarray(begin, end), slope.subarray(begin, end));
    const order = this.#crossings.sort(this.#at, crossings);
    for (let k = 0; k < crossings; ) {
      const at = this.#at[order[k]!]!;
      let changes = false;
      for (const last = at + TOGETHER * Math.abs(at); k < crossings && this.#at[order[k]!]! <= last; k++) {
        const upper = this.#pairs[2 * order[k]!]!;
        const lower = this.#pairs[2 * order[k]! + 1]!;
        this.#above[upper]!++;
        this.#above[lower]!--;
        changes ||= alike === undefined || alike[upper] !== alike[lower];
      }
      if (!changes) continue;
      const before = value;
      value = measure.aggregate.of(yield* this.#evaluate(q, k / crossings));
      if (value === before) continue;
      this.#found[found] = at;
      this.#changes[found++] = value - before;
    }
    return found;
  }

  #cross({ count, starts, order }: Blocks, start: Float64Array, slope: Float64Array): number {
    let crossings = 0;
    for (let u = 0; u < count; u++) {
      const upper = order[starts[u]!]!;
      for (let l = u + 1; l < count; l++) {
        const lower = order[starts[l]!]!;
        if (slope[lower] === slope[upper]) continue;
        this.#at[crossings] = crossing(start[upper]!, slope[upper]!, start[lower]!, slope[lower]!);
        this.#pairs[2 * crossings] = u;
        this.#pairs[2 * crossings++ + 1] = l;
      }
    }
    return crossings;
  }

  /** The value of a query with its blocks where they are now, this share of the way; NaN where it is undefined. */
  *#evaluate(q: number, share: number): Steps<number> {
    const { count, starts, order } = this.#blocks;
    for (let b = 0; b < count; b++) {
      for (let r = starts[b]!; r < starts[b + 1]!; r++) this.#scores[order[r]!] = -this.#above[b]!;
    }
    const view = this.#view.moveTo(q, this.#scores, this.#data.offsets[q]!);
    this.#rows += view.n;
    if (this.#rows >= ROWS_A_STEP) {
      this.#rows = 0;
      yield share;
    }
    const { valueSteps } = this.#measure;
    return valueSteps === undefined
      ? evaluateQuery(this.#measure, view)
      : yield* partOf(valueSteps(view), share, share);
  }

  /**
   * By block: a number for those whose documents count alike, so that nothing changes where two of the same number
   * cross; NaN for others. Undefined where the measure does not say.
   */
  #alike(): Float64Array | undefined {
    const { swap } = this.#measure;
    const { count, starts, order } = this.#blocks;
    if (swap.form === 'function' || needsJudged(swap)) return undefined;
    const tables = swapTables(this.#view.n);
    swap.fill(this.#view, tables);
    return Float64Array.from({ length: count }, (_, b) => {
      const own = tables.gain[order[starts[b]!]!]!;
      for (let r = starts[b]!; r < starts[b + 1]!; r++) if (tables.gain[order[r]!] !== own) return Number.NaN;
      return own;
    });
  }
}
