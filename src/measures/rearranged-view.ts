/** A query view with its documents in another order. The scores stay with the ranks, so that both agree. */
import type { QueryView } from './measure.js';

export class RearrangedView implements QueryView {
  readonly #view: QueryView;
  readonly #scores: Float64Array;
  /** Whether the scores are those of the order shown: most measures never ask for them. */
  #dealt = false;
  readonly #ranked = new Map<string, Float64Array>();
  readonly order: Uint32Array;

  constructor(view: QueryView) {
    this.#view = view;
    this.#scores = new Float64Array(view.n);
    this.order = view.order.slice(0, view.n);
  }

  get scores(): Float64Array {
    if (!this.#dealt) {
      const { scores, order } = this.#view;
      for (let r = 0; r < this.n; r++) this.#scores[this.order[r]!] = scores[order[r]!]!;
      this.#dealt = true;
    }
    return this.#scores;
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
    this.#dealt = false;
    return this;
  }

  /** Shows the original order with the document at rank `from` (from 0) moved to rank `to`. */
  move(from: number, to: number): this {
    const before = this.#view.order;
    this.order.set(before.subarray(0, this.n));
    if (from < to) this.order.set(before.subarray(from + 1, to + 1), from);
    else this.order.set(before.subarray(to, from), to + 1);
    this.order[to] = before[from]!;
    this.#dealt = false;
    return this;
  }

  /** Shows the documents in this order. */
  arrange(order: Uint32Array): this {
    this.order.set(order.subarray(0, this.n));
    this.#dealt = false;
    return this;
  }

  /** Lets the documents at ranks r and r + 1 of the order shown trade places. */
  trade(r: number): this {
    const upper = this.order[r]!;
    this.order[r] = this.order[r + 1]!;
    this.order[r + 1] = upper;
    this.#dealt = false;
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
    const { order, n } = this;
    const ranked = this.#ranked.get(source) ?? new Float64Array(n);
    this.#ranked.set(source, ranked);
    for (let r = 0; r < n; r++) ranked[r] = labels[order[r]!]!;
    return ranked;
  }

  ideal(source: string, over: 'list' | 'judged'): Float64Array {
    return this.#view.ideal(source, over);
  }
}
