/** A query view over a data set and a score a row: one object with reused buffers, moved from query to query. */
import type { Dataset } from '../data/dataset.js';
import type { QueryView } from './measure.js';
import { breakTiesByDocument, orderByScore } from './order.js';

/** How documents of equal score are ordered: as in the input, or by document id, descending (trec_eval). */
export type Ties = 'input' | 'document';

interface SourceBuffers {
  labels: Float64Array;
  ranked: Float64Array;
  rankedOf: number;
  /** By query; only the last one is kept unless the view is to remember. */
  ideal: { list: Map<number, Float64Array>; judged: Map<number, Float64Array> };
}

export class DatasetView implements QueryView {
  readonly #data: Dataset;
  readonly #ties: Ties;
  readonly #remember: boolean;
  readonly scores: Float64Array;
  readonly #order: Uint32Array;
  /** The move that `#order` is of. */
  #orderOf = 0;
  readonly #scratch: Uint32Array;
  readonly #sources = new Map<string, SourceBuffers>();
  readonly #longest: number;
  n = 0;
  /** The query shown. */
  query = -1;
  /** Counts moves, so that buffers know whether they are of this query and these scores. */
  #move = 0;

  /** A view that will come back to the same queries again and again should `remember` what does not depend on scores. */
  constructor(data: Dataset, ties: Ties = 'input', { remember = false } = {}) {
    this.#data = data;
    this.#ties = ties;
    this.#remember = remember;
    let longest = 0;
    for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
    this.#longest = longest;
    this.scores = new Float64Array(longest);
    this.#order = new Uint32Array(longest);
    this.#scratch = new Uint32Array(longest);
  }

  /** Shows query q ranked by `scores`, which has one value a row of the whole data set. */
  moveTo(q: number, scores: ArrayLike<number>): this {
    const start = this.#data.offsets[q]!;
    const n = this.#data.offsets[q + 1]! - start;
    for (let i = 0; i < n; i++) this.scores[i] = scores[start + i]!;
    this.query = q;
    this.n = n;
    this.#move++;
    return this;
  }

  /** Sorted when first asked for: some measures and objectives need no order, and kernels sort by themselves. */
  get order(): Uint32Array {
    if (this.#orderOf !== this.#move) {
      orderByScore(this.scores, this.n, this.#order, this.#scratch);
      if (this.#ties === 'document') {
        const start = this.#data.offsets[this.query]!;
        breakTiesByDocument(this.scores, this.n, this.#order, document => this.#data.documentId(start + document));
      }
      this.#orderOf = this.#move;
    }
    return this.#order;
  }

  #source(name: string): SourceBuffers {
    let source = this.#sources.get(name);
    if (source === undefined) {
      source = {
        labels: this.#data.label(name),
        ranked: new Float64Array(this.#longest),
        rankedOf: -1,
        ideal: { list: new Map(), judged: new Map() },
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
    const byQuery = this.#source(name).ideal[over];
    let ideal = byQuery.get(this.query);
    if (ideal === undefined) {
      if (!this.#remember) byQuery.clear();
      ideal = sortedLabels(this.labels(name), over === 'judged' ? this.#unranked(name) : undefined);
      byQuery.set(this.query, ideal);
    }
    return ideal;
  }

  #unranked(name: string): Float64Array | undefined {
    const unranked = this.#data.unranked?.get(name);
    return unranked?.values.subarray(unranked.offsets[this.query]!, unranked.offsets[this.query + 1]!);
  }
}

const COUNTED = 32;
const counts = new Uint32Array(COUNTED);

/** All labels that are numbers, highest first. Small whole grades, the usual case, are counted instead of sorted. */
export function sortedLabels(labels: Float64Array, outside?: Float64Array): Float64Array {
  counts.fill(0);
  let judged = 0;
  let whole = true;
  for (const part of outside === undefined ? [labels] : [labels, outside]) {
    for (let i = 0; i < part.length; i++) {
      const label = part[i]!;
      if (Number.isNaN(label)) continue;
      judged++;
      if (label >= 0 && label < COUNTED && label === Math.floor(label)) counts[label]!++;
      else whole = false;
    }
  }
  const sorted = new Float64Array(judged);
  if (whole) {
    let at = 0;
    for (let grade = COUNTED - 1; grade >= 0; grade--) {
      const end = at + counts[grade]!;
      sorted.fill(grade, at, end);
      at = end;
    }
    return sorted;
  }
  let at = 0;
  for (const part of outside === undefined ? [labels] : [labels, outside]) {
    for (let i = 0; i < part.length; i++) if (!Number.isNaN(part[i])) sorted[at++] = part[i]!;
  }
  return sorted.sort().reverse();
}
