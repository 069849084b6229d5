/** What measures said of queries when they were last shown: it holds for as long as scores rank a query alike. */
import type { Dataset } from '../data/dataset.js';
import type { DatasetView } from './query-view.js';

export class KnownValues {
  readonly #view: DatasetView;
  /** By query: whether there are values, how many documents tied; by measure and query: the values. */
  readonly #known: Uint8Array;
  readonly #tied: Uint32Array;
  readonly #values: readonly Float64Array[];

  /** The view is one that remembers, and shows no query without this being told what was found. */
  constructor(view: DatasetView, { queries }: Pick<Dataset, 'queries'>, measures: number) {
    this.#view = view;
    this.#known = new Uint8Array(queries);
    this.#tied = new Uint32Array(queries);
    this.#values = Array.from({ length: measures }, () => new Float64Array(queries));
  }

  /** Documents of the query that tied, where its values by these scores are known, and then are in `values`. */
  recall(query: number, scores: ArrayLike<number>, values: readonly Float64Array[]): number | undefined {
    if (this.#known[query] === 0 || !this.#view.ranksAsBefore(query, scores)) return undefined;
    for (let m = 0; m < values.length; m++) values[m]![query] = this.#values[m]![query]!;
    return this.#tied[query]!;
  }

  /** After measures have seen the query: one that asked for scores may say something else of others. */
  keep(values: readonly Float64Array[], tied: number): void {
    const { query } = this.#view;
    this.#known[query] = Number(this.#view.ranksOnly);
    this.#tied[query] = tied;
    for (let m = 0; m < values.length; m++) this.#values[m]![query] = values[m]![query]!;
  }
}
