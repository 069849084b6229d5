/** Keeps the best iteration by a criterion, and says when there has been none better for long enough. */
import type { Criterion } from '../measures/criterion.js';

export interface BestState {
  /** 0 where nothing has been seen yet or the model that training went on from is still the best. */
  readonly iteration: number;
  readonly values: readonly number[];
}

export class EarlyStopping {
  readonly #criterion: Criterion;
  /** Iterations without a better one after which to stop; 0 never stops. */
  readonly #patience: number;
  best: BestState | undefined;
  /** The iteration from which patience counts. */
  since = 0;

  constructor(criterion: Criterion, patience: number) {
    this.#criterion = criterion;
    this.#patience = patience;
  }

  /** Whether the iteration is better than all before; of equals the first is kept. */
  see(iteration: number, values: readonly number[]): boolean {
    if (this.best !== undefined && this.#criterion.compare(values, this.best.values) <= 0) return false;
    this.best = { iteration, values };
    this.since = iteration;
    return true;
  }

  stops(iteration: number): boolean {
    return this.#patience > 0 && iteration - this.since >= this.#patience;
  }
}
