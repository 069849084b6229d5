/** Sorts labels, highest first, into a buffer that is reused: once for every query, so it must not allocate much. */

/** Whole grades below this, the usual case, are counted instead of sorted. */
const COUNTED = 32;

export class LabelSorter {
  #sorted = new Float64Array(128);
  #length = 0;
  readonly #counts = new Uint32Array(COUNTED);
  /** Whether every label so far was a small whole grade. */
  #whole = true;

  clear(): void {
    this.#length = 0;
    this.#counts.fill(0);
    this.#whole = true;
  }

  /** Adds labels[start] to labels[end - 1]; NaN (unjudged) is left out. */
  add(labels: Float64Array, start: number, end: number): void {
    if (this.#length + end - start > this.#sorted.length) {
      const grown = new Float64Array(2 * (this.#length + end - start));
      grown.set(this.#sorted);
      this.#sorted = grown;
    }
    const sorted = this.#sorted;
    const counts = this.#counts;
    let length = this.#length;
    let whole = this.#whole;
    for (let i = start; i < end; i++) {
      const label = labels[i]!;
      if (Number.isNaN(label)) continue;
      sorted[length++] = label;
      if (label >= 0 && label < COUNTED && label === Math.floor(label)) counts[label]!++;
      else whole = false;
    }
    this.#length = length;
    this.#whole = whole;
  }

  /** The labels added since `clear`, highest first; good until the next `clear`. */
  sorted(): Float64Array {
    const labels = this.#sorted.subarray(0, this.#length);
    if (!this.#whole) return labels.sort().reverse();
    let at = 0;
    for (let grade = COUNTED - 1; grade >= 0; grade--) {
      for (let count = this.#counts[grade]!; count > 0; count--) labels[at++] = grade;
    }
    return labels;
  }
}
