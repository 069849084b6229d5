/** Scratch for one run: arrays that grow to the longest query seen, so that a pass over the data does not allocate. */
export class Scratch {
  #arrays: Float64Array[] = [];

  /** The i-th array, at least n long; what it held before may be lost. */
  array(i: number, n: number): Float64Array {
    const present = this.#arrays[i];
    if (present !== undefined && present.length >= n) return present;
    return (this.#arrays[i] = new Float64Array(Math.max(n, 2 * (present?.length ?? 0))));
  }
}
