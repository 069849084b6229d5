/** Keeps the best iteration by a criterion, and says when there has been none better for long enough. */
import type { Criterion } from '../measures/criterion.js';

export interface BestState {
  /** 0 where the model that training went on from is still the best. */
  readonly iteration: number;
  readonly values: readonly number[];
}

export class EarlyStopping {
  readonly #criterion: Criterion;
  readonly #patience: number;
  readonly #state: { best?: BestState | undefined; since: number };

  /**
   * `patience`: iterations without a better one after which to stop; 0 never stops. `state` is kept up to date;
   * patience counts from its iteration `since`.
   */
  constructor(criterion: Criterion, patience: number, state: { best?: BestState | undefined; since: number }) {
    this.#criterion = criterion;
    this.#patience = patience;
    this.#state = state;
  }

  /** Whether the iteration is better than all before; of equals the first is kept. */
  see(iteration: number, values: readonly number[]): boolean {
    const { best } = this.#state;
    if (best !== undefined && this.#criterion.compare(values, best.values) <= 0) return false;
    this.#state.best = { iteration, values };
    this.#state.since = iteration;
    return true;
  }

  stops(iteration: number): boolean {
    return this.#patience > 0 && iteration - this.#state.since >= this.#patience;
  }
}
