/** Queries given from outside the data, dealt out to rows as they are read. */
import { ListwiseError } from '../../../errors.js';
import type { OutsideQueries } from '../reader.js';

export class RowQueries {
  readonly #file: string;
  readonly #runs: Iterator<{ id: string; rows: number }>;
  #id = '';
  #left = 0;
  #dealt = 0;

  constructor(queries: OutsideQueries) {
    this.#file = queries.file;
    this.#runs = queries.runs[Symbol.iterator]();
  }

  /** The queries of the next `rows` rows. */
  take(rows: number): { id: string; rows: number }[] {
    const taken: { id: string; rows: number }[] = [];
    for (let left = rows; left > 0; ) {
      if (this.#left === 0 && !this.#advance()) {
        throw new ListwiseError('row-count', `the groups cover ${this.#dealt} rows, but the data has more`, {
          file: this.#file,
        });
      }
      const count = Math.min(left, this.#left);
      taken.push({ id: this.#id, rows: count });
      this.#left -= count;
      this.#dealt += count;
      left -= count;
    }
    return taken;
  }

  /** To be called after the last row: every run must have been used up. */
  finish(): void {
    const dealt = this.#dealt;
    let covered = dealt + this.#left;
    while (this.#advance()) covered += this.#left;
    if (covered === dealt) return;
    throw new ListwiseError('row-count', `the groups cover ${covered} rows, but the data has ${dealt}`, {
      file: this.#file,
    });
  }

  /** Moves to the next run that has rows. */
  #advance(): boolean {
    for (;;) {
      const next = this.#runs.next();
      if (next.done) return false;
      this.#id = next.value.id;
      this.#left = next.value.rows;
      if (this.#left > 0) return true;
    }
  }
}
