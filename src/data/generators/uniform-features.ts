/** What the cubic and the net data share: features uniform in [-1, 1], a target that they hide, five grades. */
import { Random } from '../../numeric/random.js';
import type { QueryRoom, QuerySource } from './generator.js';
import { gradeOf, gradeThresholds, type Moments, moments } from './grades.js';

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

export function uniformFeatures(features: number, seed: number, hidden: HiddenFunction): QuerySource {
  const sample = new Random(seed, 'sample');
  const x = new Float64Array(features);
  const terms = new Float64Array(hidden.terms);
  const columns = Array.from({ length: hidden.terms }, () => new Float64Array(SAMPLE));
  for (let i = 0; i < SAMPLE; i++) {
    draw(sample, x);
    hidden.evaluate(x, terms);
    for (let t = 0; t < hidden.terms; t++) columns[t]![i] = terms[t]!;
  }
  const scales = columns.map(moments);
  const targets = Float64Array.from({ length: SAMPLE }, (_, i) => {
    for (let t = 0; t < hidden.terms; t++) terms[t] = columns[t]![i]!;
    return target(terms, scales);
  });
  const thresholds = gradeThresholds(targets);
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
        hidden.evaluate(x, terms);
        room.grades[at] = gradeOf(target(terms, scales), thresholds);
        room.appeal[at] = liking * Math.sqrt(3); // a uniform feature has deviation 1/sqrt(3)
      }
    },
  };
}

function draw(random: Random, x: Float64Array): void {
  for (let f = 0; f < x.length; f++) {
    x[f] = (Math.floor((random.bits() / 4294967296) * (2 * STEPS + 1)) - STEPS) / STEPS;
  }
}

function target(terms: Float64Array, scales: readonly Moments[]): number {
  let sum = 0;
  for (let t = 0; t < terms.length; t++) {
    const { mean, deviation } = scales[t]!;
    sum += deviation > 0 ? (terms[t]! - mean) / deviation : 0;
  }
  return sum / terms.length;
}

function unitVector(random: Random, length: number): Float64Array {
  const vector = Float64Array.from({ length }, () => random.gaussian());
  const norm = Math.hypot(...vector);
  return vector.map(value => value / norm);
}
