/**
 * Rankings drawn by Plackett and Luce: the next document is d with probability e^s_d over the sum of the rest. And the
 * derivative of the logarithm of a ranking's probability.
 */
import { orderByScore } from '../measures/order.js';
import { hash32 } from '../numeric/random.js';
import { logAdd } from './pairs/pair-factor.js';

export class SampledRankings {
  #keys = new Float64Array(0);
  #order = new Uint32Array(0);
  #scratch = new Uint32Array(0);
  #logSums = new Float64Array(0);

  /**
   * Draws by the largest of score plus Gumbel noise; the noise of document i is a function of the stream and i alone.
   */
  draw(scores: Float64Array, n: number, stream: number): Uint32Array {
    if (this.#keys.length < n) {
      this.#keys = new Float64Array(n);
      this.#order = new Uint32Array(n);
      this.#scratch = new Uint32Array(n);
      this.#logSums = new Float64Array(n);
    }
    for (let i = 0; i < n; i++) {
      const uniform = (hash32(stream, i) + 0.5) / 4294967296;
      this.#keys[i] = scores[i]! - Math.log(-Math.log(uniform));
    }
    orderByScore(this.#keys, n, this.#order, this.#scratch);
    return this.#order.subarray(0, n);
  }

  /** Adds `weight` times d log P(order) / d score, by document. */
  addSlope(scores: Float64Array, order: Uint32Array, weight: number, out: Float64Array): void {
    const n = order.length;
    let log = -Infinity;
    for (let t = n - 1; t >= 0; t--) this.#logSums[t] = log = logAdd(log, scores[order[t]!]!);
    // The document at place t was there to be chosen at all places up to t.
    let chances = -Infinity;
    for (let t = 0; t < n; t++) {
      const i = order[t]!;
      chances = logAdd(chances, -this.#logSums[t]!);
      out[i]! += weight * (1 - Math.exp(scores[i]! + chances));
    }
  }
}
