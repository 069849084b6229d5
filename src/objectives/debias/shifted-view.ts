/** A query with other scores, each a function of its own. */
import type { QueryView } from '../../measures/measure.js';
import { orderByScore } from '../../measures/order.js';
import { ViewOf } from './view-of.js';

export class ShiftedView extends ViewOf {
  #order = new Uint32Array(0);
  #spare = new Uint32Array(0);
  #sorted = false;

  /** `moved`: the score instead of one, of a document. */
  show(view: QueryView, moved: (score: number, document: number) => number): this {
    this.view = view;
    this.#sorted = false;
    const { scores } = this;
    for (let i = 0; i < view.n; i++) scores[i] = moved(view.scores[i]!, i);
    return this;
  }

  override get scores(): Float64Array {
    return this.scratch.array(1, this.n);
  }

  /** Sorted when first asked for: kernels sort by themselves. */
  override get order(): Uint32Array {
    if (this.#sorted) return this.#order;
    if (this.#order.length < this.n) {
      this.#order = new Uint32Array(2 * this.n);
      this.#spare = new Uint32Array(2 * this.n);
    }
    orderByScore(this.scores, this.n, this.#order, this.#spare);
    this.#sorted = true;
    return this.#order;
  }
}
