/** A query in which one document alone is relevant, with label 1; others that were judged have label 0. */
import type { QueryView } from '../../measures/measure.js';
import { ViewOf } from './view-of.js';

export class ClickView extends ViewOf {
  readonly #source: string;
  #document = 0;
  #ideal = new Float64Array(0);

  constructor(source: string) {
    super();
    this.#source = source;
  }

  show(view: QueryView, document: number): this {
    this.view = view;
    this.#document = document;
    return this;
  }

  override labels(source: string): Float64Array {
    const given = super.labels(source);
    if (source !== this.#source) return given;
    const labels = this.scratch.array(1, this.n);
    for (let i = 0; i < this.n; i++) labels[i] = Number.isNaN(given[i]) ? Number.NaN : Number(i === this.#document);
    return labels;
  }

  override ideal(source: string, over: 'list' | 'judged'): Float64Array {
    const given = super.ideal(source, over);
    if (source !== this.#source) return given;
    if (this.#ideal.length !== given.length) this.#ideal = new Float64Array(given.length).fill(1, 0, 1);
    return this.#ideal;
  }
}
