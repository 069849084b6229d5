/** A query view with its documents in another order. The scores stay with the ranks, so that both agree. */
import type { QueryView } from './measure.js';

export class RearrangedView implements QueryView {
  readonly #view: QueryView;
  readonly scores: Float64Array;
  readonly order: Uint32Array;

  constructor(view: QueryView) {
    this.#view = view;
    this.scores = view.scores.slice(0, view.n);
    this.order = view.order.slice(0, view.n);
  }

  get query(): number {
    return this.#view.query;
  }

  get number(): number {
    return this.#view.number;
  }

  get n(): number {
    return this.#view.n;
  }

  /** Shows the original order with the documents at ranks a and b (from 0) swapped. */
  swap(a: number, b: number): this {
    this.order.set(this.#view.order.subarray(0, this.n));
    this.order[a] = this.#view.order[b]!;
    this.order[b] = this.#view.order[a]!;
    return this.#dealScores();
  }

  /** Shows the original order with the document at rank `from` (from 0) moved to rank `to`. */
  move(from: number, to: number): this {
    const before = this.#view.order;
    this.order.set(before.subarray(0, this.n));
    if (from < to) this.order.set(before.subarray(from + 1, to + 1), from);
    else this.order.set(before.subarray(to, from), to + 1);
    this.order[to] = before[from]!;
    return this.#dealScores();
  }

  /** Shows the documents in this order. */
  arrange(order: Uint32Array): this {
    this.order.set(order.subarray(0, this.n));
    return this.#dealScores();
  }

  /** Lets the documents at ranks r and r + 1 of the order shown trade places. */
  trade(r: number): this {
    const { order, scores } = this;
    const upper = order[r]!;
    const lower = order[r + 1]!;
    const score = scores[upper]!;
    scores[upper] = scores[lower]!;
    scores[lower] = score;
    order[r] = lower;
    order[r + 1] = upper;
    return this;
  }

  #dealScores(): this {
    for (let r = 0; r < this.n; r++) this.scores[this.order[r]!] = this.#view.scores[this.#view.order[r]!]!;
    return this;
  }

  get positions(): Float64Array | undefined {
    return this.#view.positions;
  }

  labels(source: string): Float64Array {
    return this.#view.labels(source);
  }

  ranked(source: string): Float64Array {
    const labels = this.labels(source);
    return Float64Array.from(this.order, document => labels[document]!);
  }

  ideal(source: string, over: 'list' | 'judged'): Float64Array {
    return this.#view.ideal(source, over);
  }
}
