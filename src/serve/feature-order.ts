/**
 * The order in which requests name features. Names that come as expected are read by the kernel, others one by one; so
 * what is expected is what a client sent, once it has sent it often enough.
 */
import { NameOrder } from '../kernels/scan-json.js';

/** So many names out of order are worth learning the order anew; twice as many the next time, and so on. */
const WORTH = 64;

export class FeatureOrder {
  readonly #featureNames: readonly string[];
  #expected: NameOrder;
  #place = new Map<string, number>();
  #missed = 0;
  #worth = WORTH;

  constructor(featureNames: readonly string[]) {
    this.#featureNames = featureNames;
    this.#expected = this.#orderOf(featureNames);
  }

  get expected(): NameOrder {
    return this.#expected;
  }

  /** What is expected behind a name; undefined where the name itself is not expected. */
  behind(name: string): number | undefined {
    const place = this.#place.get(name);
    return place === undefined ? undefined : place + 1;
  }

  /** Counts names that came out of order; whether the order is to be learnt. */
  missed(names: number): boolean {
    this.#missed += names;
    return this.#missed >= this.#worth;
  }

  learn(names: readonly string[]): void {
    this.#missed = 0;
    this.#worth = Math.min(2 * this.#worth, 2 ** 30);
    this.#expected = this.#orderOf([...names, ...this.#featureNames]);
  }

  /** Of the model's names, each where it comes first. */
  #orderOf(names: readonly string[]): NameOrder {
    const column = new Map(this.#featureNames.map((name, f) => [name, f]));
    const order = [...new Set(names)].filter(name => column.has(name));
    this.#place = new Map(order.map((name, k) => [name, k]));
    return new NameOrder(order.map(name => [name, column.get(name)!] as const));
  }
}
