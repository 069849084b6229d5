/**
 * A density over places in the unit cube: one kernel around each of some points and a flat one, all of equal weight.
 * Kernels are products over the dimensions, so that options which are good together are proposed together.
 */
import type { Random } from '../../numeric/random.js';
import { erfc } from '../../numeric/special-functions.js';
import { type Dimension, placeOf, valueAt } from '../dimension.js';
import type { SearchSpace, Values } from '../space.js';

/** Width of a kernel for one point, as a share of the range; narrower as points are more (Scott's rule). */
const WIDTH = 0.2;

export class Parzen {
  readonly #dimensions: readonly (readonly [string, Dimension])[];
  /** points[i][d]: the place, NaN where the point has no value of the dimension, which is then taken as anywhere. */
  readonly #points: readonly (readonly number[])[];
  readonly #width: number;

  constructor({ search }: SearchSpace, points: readonly Values[]) {
    this.#dimensions = Object.entries(search);
    this.#points = points.map(values =>
      this.#dimensions.map(([key, dimension]) => placeOf(dimension, values[key]) ?? Number.NaN),
    );
    this.#width = WIDTH * Math.max(1, points.length) ** (-1 / (this.#dimensions.length + 4));
  }

  sample(random: Random): Values {
    // The last one is the flat kernel.
    const point = this.#points[random.below(this.#points.length + 1)];
    return Object.fromEntries(
      this.#dimensions.map(([key, dimension], d) => [
        key,
        valueAt(dimension, this.#draw(dimension, point?.[d], random)),
      ]),
    );
  }

  logDensity(values: Values): number {
    const places = this.#dimensions.map(([key, dimension]) => placeOf(dimension, values[key])!);
    let sum = 1; // the flat kernel
    for (const point of this.#points) {
      let product = 1;
      for (const [d, [, dimension]] of this.#dimensions.entries()) {
        product *= this.#kernel(dimension, point[d]!, places[d]!);
      }
      sum += product;
    }
    return Math.log(sum / (this.#points.length + 1));
  }

  #draw(dimension: Dimension, centre: number | undefined, random: Random): number {
    if (centre === undefined || Number.isNaN(centre)) return random.uniform();
    if ('choices' in dimension) return random.uniform() < this.#stray() ? random.uniform() : centre;
    for (;;) {
      const place = centre + this.#width * random.gaussian();
      if (place >= 0 && place <= 1) return place;
    }
  }

  /** The density at a place, 1 on average over the dimension. */
  #kernel(dimension: Dimension, centre: number, place: number): number {
    if (Number.isNaN(centre)) return 1;
    if ('choices' in dimension) {
      const same = Math.abs(centre - place) < 1e-9 ? dimension.choices.length : 0;
      return this.#stray() + (1 - this.#stray()) * same;
    }
    const z = (place - centre) / this.#width;
    const inside = normalCdf((1 - centre) / this.#width) - normalCdf(-centre / this.#width);
    return Math.exp(-0.5 * z * z) / (Math.sqrt(2 * Math.PI) * this.#width * inside);
  }

  /** The chance of another choice than the point's own. */
  #stray(): number {
    return 1 / (1 + Math.sqrt(this.#points.length + 1));
  }
}

function normalCdf(x: number): number {
  return 0.5 * erfc(-x / Math.SQRT2);
}
