/** A query view over a data set and a score a row: one object with reused buffers, moved from query to query. */
import type { Dataset, UnrankedLabels } from '../data/dataset.js';
import { LabelSorter } from './forms/label-sorter.js';
import type { TiedRanks } from './forms/over-ties.js';
import type { QueryView } from './measure.js';
import { breakTiesByDocument, orderByScore, reorderByScore } from './order.js';
import { ScoreTies } from './score-ties.js';

/**
 * What documents of equal score stand for: the mean over all their orders, the order of the input, or that of document
 * ids, descending (trec_eval).
 *
 * @example
 * import { evaluate, type Ties } from 'listwise';
 *
 * const ties: Ties = 'expected';
 * evaluate(data, scores, 'ndcg@10', { ties });
 */
export type Ties = 'expected' | 'input' | 'document';

interface SourceBuffers {
  labels: Float64Array;
  ranked: Float64Array;
  rankedOf: number;
  list: Ideal;
  judged: Ideal;
}

/** The labels of query `of`, highest first; those of earlier queries too where the view is to remember. */
interface Ideal {
  of: number;
  labels: Float64Array;
  readonly sorter: LabelSorter;
  readonly kept: Map<number, Float64Array>;
}

export class DatasetView implements QueryView {
  readonly #data: Dataset;
  readonly ties: Ties;
  readonly #remember: boolean;
  readonly #scores: Float64Array;
  /** The move at which scores were last asked for. */
  #scoresOf = 0;
  readonly #order: Uint32Array;
  /** The move that `#order` is of, and its query. */
  #orderOf = 0;
  #orderQuery = -1;
  /**
   * Where the view is to remember: the last order of each query, by row, and where a score was that of the rank above;
   * and whether there is one.
   */
  #orders: { readonly of: Uint32Array; readonly tied: Uint8Array; readonly known: Uint8Array } | undefined;
  readonly #scratch: Uint32Array;
  readonly #found: ScoreTies;
  #foundOf = 0;
  readonly #sources = new Map<string, SourceBuffers>();
  readonly #longest: number;
  n = 0;
  /** The query shown. */
  query = -1;
  number = -1;
  /** Counts moves, so that buffers know whether they are of this query and these scores. */
  #move = 0;

  /**
   * A view that will come back to the same queries again and again should `remember` what does not depend on scores,
   * and orders, which the next scores may change little.
   */
  constructor(data: Dataset, ties: Ties = 'expected', { remember = false } = {}) {
    this.#data = data;
    this.ties = ties;
    this.#remember = remember;
    let longest = 0;
    for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
    this.#longest = longest;
    this.#scores = new Float64Array(longest);
    this.#order = new Uint32Array(longest);
    this.#scratch = new Uint32Array(longest);
    this.#found = new ScoreTies(data, this, this.#scores);
  }

  /** Shows query q ranked by `scores`, which has one value a row of the data set from row `first` on. */
  moveTo(q: number, scores: ArrayLike<number>, first = 0): this {
    const start = this.#data.offsets[q]!;
    const n = this.#data.offsets[q + 1]! - start;
    for (let i = 0; i < n; i++) this.#scores[i] = scores[start - first + i]!;
    this.query = q;
    this.number = (this.#data.share?.firstQuery ?? 0) + q;
    this.n = n;
    this.#move++;
    return this;
  }

  get scores(): Float64Array {
    this.#scoresOf = this.#move;
    return this.#scores;
  }

  /** Whether nobody has asked for the scores shown: what was found depends on the ranking alone. */
  get ranksOnly(): boolean {
    return this.#scoresOf !== this.#move;
  }

  /** Whether scores, as `moveTo` takes them, rank query q as when its order was last asked for, ties included. */
  ranksAsBefore(q: number, scores: ArrayLike<number>): boolean {
    if (!this.#orders?.known[q]) return false;
    const { of, tied } = this.#orders;
    const start = this.#data.offsets[q]!;
    const end = this.#data.offsets[q + 1]!;
    let above = Infinity;
    for (let at = start; at < end; at++) {
      const score = scores[start + of[at]!]!;
      if (!(score <= above) || Number(score === above) !== tied[at]) return false;
      above = score;
    }
    return true;
  }

  /** Sorted when first asked for: some measures and objectives need no order, and kernels sort by themselves. */
  get order(): Uint32Array {
    if (this.#orderOf !== this.#move) {
      // Other scores of a query shown before, such as those of a model a little altered, hardly change its order.
      if (!this.#recallOrder() || !reorderByScore(this.#scores, this.n, this.#order)) {
        orderByScore(this.#scores, this.n, this.#order, this.#scratch);
      }
      this.#keepOrder();
      if (this.ties === 'document') {
        const start = this.#data.offsets[this.query]!;
        breakTiesByDocument(this.#scores, this.n, this.#order, document => this.#data.documentId(start + document));
      }
      this.#orderOf = this.#move;
      this.#orderQuery = this.query;
    }
    return this.#order;
  }

  /** Whether `#order` is an order of the documents shown, if by other scores. */
  #recallOrder(): boolean {
    if (this.#orderQuery === this.query) return true;
    if (!this.#orders?.known[this.query]) return false;
    const start = this.#data.offsets[this.query]!;
    for (let r = 0; r < this.n; r++) this.#order[r] = this.#orders.of[start + r]!;
    return true;
  }

  #keepOrder(): void {
    if (!this.#remember) return;
    const { rows, queries } = this.#data;
    this.#orders ??= { of: new Uint32Array(rows), tied: new Uint8Array(rows), known: new Uint8Array(queries) };
    const { of, tied } = this.#orders;
    const start = this.#data.offsets[this.query]!;
    let above = Number.NaN;
    for (let r = 0; r < this.n; r++) {
      const document = this.#order[r]!;
      const score = this.#scores[document]!;
      of[start + r] = document;
      tied[start + r] = Number(score === above);
      above = score;
    }
    this.#orders.known[this.query] = 1;
  }

  /** Documents whose score another has too, whatever becomes of them. */
  get tiedDocuments(): number {
    return this.#findTies().documents;
  }

  get tied(): TiedRanks | undefined {
    if (this.ties !== 'expected') return undefined;
    const found = this.#findTies();
    return found.open ? found : undefined;
  }

  #findTies(): ScoreTies {
    if (this.#foundOf !== this.#move) {
      this.#found.find();
      this.#foundOf = this.#move;
    }
    return this.#found;
  }

  get positions(): Float64Array | undefined {
    const start = this.#data.offsets[this.query]!;
    return this.#data.positions?.subarray(start, start + this.n);
  }

  #source(name: string): SourceBuffers {
    let source = this.#sources.get(name);
    if (source === undefined) {
      const ideal = () => ({ of: -1, labels: new Float64Array(0), sorter: new LabelSorter(), kept: new Map() });
      source = {
        labels: this.#data.label(name),
        ranked: new Float64Array(this.#longest),
        rankedOf: -1,
        list: ideal(),
        judged: ideal(),
      };
      this.#sources.set(name, source);
    }
    return source;
  }

  labels(name: string): Float64Array {
    const start = this.#data.offsets[this.query]!;
    return this.#source(name).labels.subarray(start, start + this.n);
  }

  ranked(name: string): Float64Array {
    const source = this.#source(name);
    if (source.rankedOf !== this.#move) {
      const start = this.#data.offsets[this.query]!;
      const { order } = this;
      for (let r = 0; r < this.n; r++) source.ranked[r] = source.labels[start + order[r]!]!;
      source.rankedOf = this.#move;
    }
    return source.ranked;
  }

  ideal(name: string, over: 'list' | 'judged'): Float64Array {
    const source = this.#source(name);
    const outside = over === 'judged' ? this.#data.unranked?.get(name) : undefined;
    // Without judged documents outside the list the two are the same: sort once for both.
    const ideal = outside === undefined ? source.list : source.judged;
    if (ideal.of !== this.query) {
      ideal.labels = ideal.kept.get(this.query) ?? this.#sort(ideal, source.labels, outside);
      ideal.of = this.query;
    }
    return ideal.labels;
  }

  #sort({ sorter, kept }: Ideal, labels: Float64Array, outside: UnrankedLabels | undefined): Float64Array {
    const { offsets } = this.#data;
    sorter.clear();
    sorter.add(labels, offsets[this.query]!, offsets[this.query + 1]!);
    if (outside !== undefined) {
      sorter.add(outside.values, outside.offsets[this.query]!, outside.offsets[this.query + 1]!);
    }
    if (!this.#remember) return sorter.sorted();
    const sorted = sorter.sorted().slice();
    kept.set(this.query, sorted);
    return sorted;
  }
}
