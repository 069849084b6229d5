/** What the cubic and the net data share: features uniform in [-1, 1], targets that they hide, five grades. */
import { ListwiseError } from '../../errors.js';
import { Random } from '../../numeric/random.js';
import { numberParameter } from '../../spec/parameters.js';
import type { QueryRoom, QuerySource } from './generator.js';
import { GRADE_SHARES, gradeOf, gradeThresholds, type Moments, moments } from './grades.js';

/**
 * Documents from which the hidden function's terms are standardised and the grades' thresholds read off. They are drawn
 * from the function's seed and belong to no data set, so neither depends on how many queries are generated or in how
 * many files.
 */
const SAMPLE = 20_000;

/** Values are whole multiples of 1/10,000: short in text, and read back exactly. */
const STEPS = 10_000;

export interface HiddenFunction {
  /** Number of terms; the target is the mean of the terms, each standardised. */
  readonly terms: number;
  /** Writes the terms of one document. */
  evaluate(x: Float64Array, terms: Float64Array): void;
}

export const aspects = numberParameter({
  default: 1,
  description:
    'Targets that decide the grades, each a function of its share of the features: the first whether a document is ' +
    'relevant at all, the next whether a relevant one has grade 2 or more, and so on; the last decides all that are left.',
  min: 1,
  max: GRADE_SHARES.length - 1,
  integer: true,
});

export interface UniformShape {
  readonly features: number;
  readonly aspects: number;
  readonly seed: number;
}

/** `drawHidden` makes the hidden function of one aspect, of so many features. */
export function uniformFeatures(
  { features, aspects: count, seed }: UniformShape,
  drawHidden: (width: number) => HiddenFunction,
): QuerySource {
  if (features < count) {
    throw new ListwiseError('option-invalid', `${count} aspects need ${count} features at least, found ${features}`);
  }
  const x = new Float64Array(features);
  const hidden = Array.from({ length: count }, (_, a) => {
    const [from, to] = [a, a + 1].map(end => Math.round((end * features) / count));
    return new Aspect(x.subarray(from, to), drawHidden);
  });
  const sample = new Random(seed, 'sample');
  for (let i = 0; i < SAMPLE; i++) {
    draw(sample, x);
    for (const aspect of hidden) aspect.learn(i);
  }
  const thresholds = gradeThresholds(hidden.map(aspect => aspect.settle()));
  const targets = new Float64Array(count);
  const taste = new Random(seed, 'appeal');
  const appeal = unitVector(taste, features);

  return {
    features,
    fill(random: Random, documents: number, room: QueryRoom): void {
      for (let i = 0; i < documents; i++) {
        draw(random, x);
        const at = room.at + i;
        let liking = 0;
        for (let f = 0; f < features; f++) {
          room.columns[f * room.stride + at] = x[f]!;
          liking += appeal[f]! * x[f]!;
        }
        for (let a = 0; a < count; a++) targets[a] = hidden[a]!.target();
        room.grades[at] = gradeOf(targets, thresholds);
        room.appeal[at] = liking * Math.sqrt(3); // a uniform feature has deviation 1/sqrt(3)
      }
    },
  };
}

/** A target and the features that it is a function of, which are filled in from outside. */
class Aspect {
  readonly #x: Float64Array;
  readonly #hidden: HiddenFunction;
  readonly #terms: Float64Array;
  readonly #samples: Float64Array[];
  #scales: readonly Moments[] = [];

  constructor(x: Float64Array, drawHidden: (width: number) => HiddenFunction) {
    this.#x = x;
    this.#hidden = drawHidden(x.length);
    this.#terms = new Float64Array(this.#hidden.terms);
    this.#samples = Array.from(this.#terms, () => new Float64Array(SAMPLE));
  }

  /** Takes document i of the sample. */
  learn(i: number): void {
    this.#hidden.evaluate(this.#x, this.#terms);
    for (const [t, term] of this.#terms.entries()) this.#samples[t]![i] = term;
  }

  /** The targets of the sample, which is let go. */
  settle(): Float64Array {
    this.#scales = this.#samples.map(moments);
    const targets = Float64Array.from({ length: SAMPLE }, (_, i) => {
      for (const [t, values] of this.#samples.entries()) this.#terms[t] = values[i]!;
      return this.#mean();
    });
    this.#samples.length = 0;
    return targets;
  }

  target(): number {
    this.#hidden.evaluate(this.#x, this.#terms);
    return this.#mean();
  }

  /** Of the terms, each standardised. */
  #mean(): number {
    const terms = this.#terms;
    let sum = 0;
    for (let t = 0; t < terms.length; t++) {
      const { mean, deviation } = this.#scales[t]!;
      sum += deviation > 0 ? (terms[t]! - mean) / deviation : 0;
    }
    return sum / terms.length;
  }
}

function draw(random: Random, x: Float64Array): void {
  for (let f = 0; f < x.length; f++) {
    x[f] = (Math.floor((random.bits() / 4294967296) * (2 * STEPS + 1)) - STEPS) / STEPS;
  }
}

function unitVector(random: Random, length: number): Float64Array {
  const vector = Float64Array.from({ length }, () => random.gaussian());
  const norm = Math.hypot(...vector);
  return vector.map(value => value / norm);
}
