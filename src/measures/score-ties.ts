/** Finds the ties of one query after another, with reused buffers; what depends on labels is made when asked for. */
import type { Dataset } from '../data/dataset.js';
import { hashText } from '../numeric/random.js';
import type { TiedRanks } from './forms/over-ties.js';
import type { QueryView } from './measure.js';

/** Up to this many labels, insertion is quicker than a call of the built-in sort. */
const FEW = 16;

export class ScoreTies implements TiedRanks {
  readonly #data: Dataset;
  readonly #view: QueryView;
  /** Those of the view, taken beside it: what asks the view for scores depends on more than ranks. */
  readonly #scores: Float64Array;
  /** What a measure may know of a document. */
  readonly #known: readonly Float64Array[];
  readonly #ranked = new Map<string, { readonly labels: Float64Array; of: number }>();
  readonly starts: Uint32Array;
  groups = 0;
  /** Whether the order within some group can matter. */
  open = false;
  /** Documents of the query whose score another has too. */
  documents = 0;
  /** Counts queries shown, so that buffers know whether they are of this one. */
  #shown = 0;

  constructor(data: Dataset, view: QueryView, scores: Float64Array) {
    this.#data = data;
    this.#view = view;
    this.#scores = scores;
    this.#known = [...data.labels.values(), ...(data.positions === undefined ? [] : [data.positions])];
    this.starts = new Uint32Array(scores.length + 1);
  }

  /** Looks at the ranking that the view shows now. */
  find(): this {
    const { n, order } = this.#view;
    const scores = this.#scores;
    const { starts } = this;
    this.#shown++;
    this.documents = 0;
    this.open = false;
    if (!hasTies(scores, order, n)) return this;
    let groups = 0;
    for (let start = 0, end = 1; start < n; start = end++) {
      while (end < n && scores[order[end]!] === scores[order[start]!]) end++;
      starts[groups++] = start;
      if (end - start === 1) continue;
      this.documents += end - start;
      if (this.#differ(start, end)) this.open = true;
      else for (let r = start + 1; r < end; r++) starts[groups++] = r;
    }
    starts[groups] = n;
    this.groups = groups;
    return this;
  }

  /** Whether two documents at these ranks have another label in some source, or were shown at other positions. */
  #differ(start: number, end: number): boolean {
    const { order, query } = this.#view;
    const first = this.#data.offsets[query]!;
    for (let k = 0; k < this.#known.length; k++) {
      const values = this.#known[k]!;
      const value = values[first + order[start]!]!;
      for (let r = start + 1; r < end; r++) if (!Object.is(values[first + order[r]!], value)) return true;
    }
    return false;
  }

  ranked(source: string): Float64Array {
    let kept = this.#ranked.get(source);
    if (kept === undefined) {
      kept = { labels: new Float64Array(this.starts.length - 1), of: -1 };
      this.#ranked.set(source, kept);
    }
    const { labels } = kept;
    if (kept.of === this.#shown) return labels;
    labels.set(this.#view.ranked(source).subarray(0, this.#view.n));
    for (let g = 0; g < this.groups; g++) {
      const start = this.starts[g]!;
      const end = this.starts[g + 1]!;
      if (end - start > FEW) labels.subarray(start, end).sort();
      else if (end - start > 1) sortFew(labels, start, end);
    }
    kept.of = this.#shown;
    return labels;
  }

  get order(): Uint32Array {
    const { n, query } = this.#view;
    const order = this.#view.order.slice(0, n);
    const sources = [...this.#data.labels.values()];
    const first = this.#data.offsets[query]!;
    const byLabels = (a: number, b: number) => {
      for (const labels of sources) {
        const difference = compareLabels(labels[first + a]!, labels[first + b]!);
        if (difference !== 0) return difference;
      }
      return 0;
    };
    for (let g = 0; g < this.groups; g++) order.subarray(this.starts[g], this.starts[g + 1]).sort(byLabels);
    return order;
  }

  get seed(): number {
    return hashText(this.#data.queryIds[this.#view.query]!);
  }
}

/** The one look that lists without ties cost. */
function hasTies(scores: Float64Array, order: Uint32Array, n: number): boolean {
  let above = Number.NaN;
  for (let r = 0; r < n; r++) {
    const score = scores[order[r]!]!;
    if (score === above) return true;
    above = score;
  }
  return false;
}

/** Ascending, NaN last, as typed arrays sort. */
function sortFew(labels: Float64Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const label = labels[i]!;
    let j = i;
    for (; j > start && compareLabels(labels[j - 1]!, label) > 0; j--) labels[j] = labels[j - 1]!;
    labels[j] = label;
  }
}

function compareLabels(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}
