/** A view of another view, which shows the same query; what is different is overridden. Moved from query to query. */
import type { QueryView } from '../../measures/measure.js';
import { Scratch } from '../scratch.js';

export class ViewOf implements QueryView {
  protected view!: QueryView;
  protected readonly scratch = new Scratch();

  get query(): number {
    return this.view.query;
  }

  get number(): number {
    return this.view.number;
  }

  get n(): number {
    return this.view.n;
  }

  get scores(): Float64Array {
    return this.view.scores;
  }

  get order(): Uint32Array {
    return this.view.order;
  }

  get positions(): Float64Array | undefined {
    return this.view.positions;
  }

  labels(source: string): Float64Array {
    return this.view.labels(source);
  }

  ranked(source: string): Float64Array {
    const { n, order } = this;
    const labels = this.labels(source);
    const ranked = this.scratch.array(0, n);
    for (let r = 0; r < n; r++) ranked[r] = labels[order[r]!]!;
    return ranked;
  }

  ideal(source: string, over: 'list' | 'judged'): Float64Array {
    return this.view.ideal(source, over);
  }
}
