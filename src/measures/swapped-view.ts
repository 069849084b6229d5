/** A query view in which two documents have traded places and scores. */
import type { QueryView } from './measure.js';

export class SwappedView implements QueryView {
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

  get n(): number {
    return this.#view.n;
  }

  /** Shows the original view with the documents at ranks a and b (from 0) swapped. */
  swap(a: number, b: number): this {
    this.scores.set(this.#view.scores.subarray(0, this.n));
    this.order.set(this.#view.order.subarray(0, this.n));
    const upper = this.order[a]!;
    const lower = this.order[b]!;
    this.order[a] = lower;
    this.order[b] = upper;
    this.scores[lower] = this.#view.scores[upper]!;
    this.scores[upper] = this.#view.scores[lower]!;
    return this;
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
