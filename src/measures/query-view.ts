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
  ideal: { list: Float64Array; judged: Float64Array };
  idealOf: { list: number; judged: number };
}

export class DatasetView implements QueryView {
  readonly #data: Dataset;
  readonly #ties: Ties;
  readonly scores: Float64Array;
  readonly order: Uint32Array;
  readonly #scratch: Uint32Array;
  readonly #sources = new Map<string, SourceBuffers>();
  readonly #longest: number;
  n = 0;
  /** The query shown. */
  query = -1;
  /** Counts moves, so that buffers know whether they are of this query and these scores. */
  #move = 0;

  constructor(data: Dataset, ties: Ties = 'input') {
    this.#data = data;
    this.#ties = ties;
    let longest = 0;
    for (let q = 0; q < data.queries; q++) longest = Math.max(longest, data.offsets[q + 1]! - data.offsets[q]!);
    this.#longest = longest;
    this.scores = new Float64Array(longest);
    this.order = new Uint32Array(longest);
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
    orderByScore(this.scores, n, this.order, this.#scratch);
    if (this.#ties === 'document') {
      breakTiesByDocument(this.scores, n, this.order, document => this.#data.documentId(start + document));
    }
    return this;
  }

  #source(name: string): SourceBuffers {
    let source = this.#sources.get(name);
    if (source === undefined) {
      const none = new Float64Array(0);
      source = {
        labels: this.#data.label(name),
        ranked: new Float64Array(this.#longest),
        rankedOf: -1,
        ideal: { list: none, judged: none },
        idealOf: { list: -1, judged: -1 },
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
      for (let r = 0; r < this.n; r++) source.ranked[r] = source.labels[start + this.order[r]!]!;
      source.rankedOf = this.#move;
    }
    return source.ranked;
  }

  ideal(name: string, over: 'list' | 'judged'): Float64Array {
    const source = this.#source(name);
    if (source.idealOf[over] !== this.query) {
      const outside = over === 'judged' ? this.#unranked(name) : undefined;
      source.ideal[over] = sortedLabels(this.labels(name), outside);
      source.idealOf[over] = this.query;
    }
    return source.ideal[over];
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
