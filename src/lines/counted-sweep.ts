/**
 * The sweep of measures that follow from how many documents are above each (counted-form.ts). Every crossing of a
 * document with a gain is visited from below; where several lines meet in a point, rounding may name crossings in an
 * order that cannot be, but the counts are right again past the last.
 */
import type { Dataset } from '../data/dataset.js';
import { countedValue } from '../measures/evaluate.js';
import { arithmeticMean, type Measure } from '../measures/measure.js';
import { NumberSorter } from '../numeric/sort-numbers.js';
import { inOneStep, type Steps } from '../steps.js';
import { Blocks, crossing } from './blocks.js';
import type { CountedForm } from './counted-form.js';
import type { Line, Sweep, SweepOutput } from './sweep.js';

export class CountedSweep implements Sweep {
  readonly #data: Dataset;
  readonly #measure: Measure;
  readonly #form: CountedForm;
  readonly #blocks: Blocks;
  readonly #sorter = new NumberSorter();
  // By block; the blocks of a query lie where its rows do, in the order of the first ranks.
  readonly #size: Uint32Array;
  readonly #gain: Float64Array;
  readonly #above: Uint32Array;
  readonly #gainAbove: Float64Array;
  readonly #table: Uint32Array;
  readonly #queryOf: Uint32Array;
  /** By query, before the aggregate. */
  readonly #value: Float64Array;
  // By crossing.
  #at = new Float64Array(0);
  #upper = new Uint32Array(0);
  #lower = new Uint32Array(0);
  #count = 0;

  constructor(data: Dataset, measure: Measure, form: CountedForm, longest: number) {
    this.#data = data;
    this.#measure = measure;
    this.#form = form;
    this.#blocks = new Blocks(longest);
    this.#size = new Uint32Array(data.rows);
    this.#gain = new Float64Array(data.rows);
    this.#above = new Uint32Array(data.rows);
    this.#gainAbove = new Float64Array(data.rows);
    this.#table = new Uint32Array(data.rows);
    this.#queryOf = new Uint32Array(data.rows);
    this.#value = new Float64Array(data.queries);
  }

  most(query: number): number {
    const { offsets } = this.#data;
    const [from, to] = [offsets[query]!, offsets[query + 1]!];
    if (Number.isNaN(this.#form.norm[query])) return 0;
    let without = 0;
    for (let i = from; i < to; i++) without += Number(this.#form.gain[i] === 0);
    const n = to - from;
    return (n * (n - 1)) / 2 - (without * (without - 1)) / 2;
  }

  run(firstQuery: number, lastQuery: number, line: Line, out: SweepOutput): Steps<number> {
    return inOneStep(() => this.#sweep(firstQuery, lastQuery, line, out));
  }

  #sweep(firstQuery: number, lastQuery: number, line: Line, { first, at, change }: SweepOutput): number {
    this.#reserve(firstQuery, lastQuery);
    for (let q = firstQuery; q < lastQuery; q++) first[q] = this.#begin(q, line);
    const order = this.#sorter.sort(this.#at, this.#count);
    let kept = 0;
    for (let k = 0; k < this.#count; k++) {
      const event = order[k]!;
      const risen = this.#pass(this.#upper[event]!, this.#lower[event]!);
      if (risen === 0) continue;
      at[kept] = this.#at[event]!;
      change[kept++] = risen;
    }
    return kept;
  }

  #reserve(firstQuery: number, lastQuery: number): void {
    let most = 0;
    for (let q = firstQuery; q < lastQuery; q++) most += this.most(q);
    this.#count = 0;
    if (this.#at.length >= most) return;
    this.#at = new Float64Array(most);
    this.#upper = new Uint32Array(most);
    this.#lower = new Uint32Array(most);
  }

  /** Blocks of a query and their crossings; returns what it counts below these. */
  #begin(q: number, { start, slope }: Line): number {
    const { aggregate } = this.#measure;
    const begin = this.#data.offsets[q]!;
    const end = this.#data.offsets[q + 1]!;
    const norm = this.#form.norm[q]!;
    if (Number.isNaN(norm)) return aggregate.of(countedValue(this.#measure, norm));
    const starts = start.subarray(begin, end);
    const slopes = slope.subarray(begin, end);
    const blocks = this.#blocks.find(starts, slopes);
    let gainAbove = 0;
    let sum = 0;
    for (let b = 0; b < blocks.count; b++) {
      const block = begin + b;
      const rank = blocks.starts[b]!;
      const gains = blocks.order.subarray(rank, blocks.starts[b + 1]!);
      this.#queryOf[block] = q;
      this.#table[block] = begin + q;
      this.#size[block] = gains.length;
      this.#gain[block] = sumOf(gains, this.#form.gain, begin);
      this.#above[block] = rank;
      this.#gainAbove[block] = gainAbove;
      gainAbove += this.#gain[block]!;
      sum += this.#counts(block);
    }
    this.#cross(begin, blocks, starts, slopes);
    this.#value[q] = norm * sum;
    return aggregate.of(norm * sum);
  }

  /** Crossings of two blocks of which one has a gain. */
  #cross(begin: number, { count, starts, order }: Blocks, start: Float64Array, slope: Float64Array): void {
    const gain = this.#gain;
    let next = this.#count;
    for (let u = 0; u < count; u++) {
      const upper = order[starts[u]!]!;
      const [a, b] = [start[upper]!, slope[upper]!];
      const all = gain[begin + u] !== 0;
      for (let l = u + 1; l < count; l++) {
        if (!all && gain[begin + l] === 0) continue;
        const lower = order[starts[l]!]!;
        if (slope[lower] === b) continue;
        this.#at[next] = crossing(a, b, start[lower]!, slope[lower]!);
        this.#upper[next] = begin + u;
        this.#lower[next++] = begin + l;
      }
    }
    this.#count = next;
  }

  /** Two blocks trade places; returns by how much what the query counts changes. */
  #pass(upper: number, lower: number): number {
    const before = this.#counts(upper) + this.#counts(lower);
    this.#above[upper]! += this.#size[lower]!;
    this.#above[lower]! -= this.#size[upper]!;
    this.#gainAbove[upper]! += this.#gain[lower]!;
    this.#gainAbove[lower]! -= this.#gain[upper]!;
    const risen = this.#counts(upper) + this.#counts(lower) - before;
    if (risen === 0) return 0;
    const q = this.#queryOf[upper]!;
    const { aggregate } = this.#measure;
    const change = this.#form.norm[q]! * risen;
    if (aggregate === arithmeticMean) return change;
    const value = this.#value[q]!;
    this.#value[q] = value + change;
    return aggregate.of(value + change) - aggregate.of(value);
  }

  /** What a block counts, over the norm. */
  #counts(block: number): number {
    const gain = this.#gain[block]!;
    if (gain === 0) return 0;
    const { discounts, moments, precision } = this.#form;
    const size = this.#size[block]!;
    const rank = this.#above[block]!;
    const from = this.#table[block]! + rank;
    const discount = discounts[from + size]! - discounts[from]!;
    if (!precision) return (gain / size) * discount;
    const down = (this.#gainAbove[block]! + 1) * discount;
    if (size === 1) return down;
    const within = ((gain - 1) / (size - 1)) * (moments[from + size]! - moments[from]! - rank * discount);
    return (gain / size) * (down + within);
  }
}

/** Smallest first, so that the sum is the same for any order of rows. */
function sumOf(documents: Uint32Array, gain: Float64Array, begin: number): number {
  if (documents.length === 1) return gain[begin + documents[0]!]!;
  return Float64Array.from(documents, document => gain[begin + document]!)
    .sort()
    .reduce((sum, own) => sum + own, 0);
}
