/**
 * One suite over every kind of model that can be altered: alterations score as the model with those parameters does.
 */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import type { Model } from '#listwise/models/all.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { matchFeatures } from '#listwise/models/match-features.js';
import { NetModel } from '#listwise/models/net/net.js';
import { scoreData } from '#listwise/models/ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { separable } from '../training/small-data.js';
import { randomEnsemble } from './random-trees.js';

const FEATURES = 5;
const names = Array.from({ length: FEATURES }, (_, f) => String(f + 1));
const random = new Random(3);
const gaussian = (length: number) => Float64Array.from({ length }, () => random.gaussian());
const standardise = { mean: gaussian(FEATURES), scale: gaussian(FEATURES).map(value => 1 + Math.abs(value)) };

const net = (hidden: number[], activation: 'tanh' | 'sigmoid' | 'relu') => {
  const layers = [FEATURES, ...hidden, 1];
  const count = layers.slice(1).reduce((sum, units, l) => sum + units * (layers[l]! + 1), 0);
  return new NetModel({ featureNames: names, hidden, activation, parameters: gaussian(count), standardise });
};

/** Nets are altered in float32. */
const kinds: [name: string, model: Model, tolerance: number][] = [
  ['linear', new LinearModel({ featureNames: names, weights: gaussian(FEATURES), bias: 2, standardise }), 1e-12],
  ['net of 10, tanh', net([10], 'tanh'), 1e-5],
  ['net of 3, sigmoid', net([3], 'sigmoid'), 1e-5],
  ['net of 13 and 4, relu', net([13, 4], 'relu'), 1e-5],
  ['trees', randomEnsemble(7, { features: FEATURES, leaves: [6, 1, 17, 3], grid: 9, skew: 0.3 }), 1e-12],
];

/** Some values missing, some 0. */
function holes(data: Dataset): Dataset {
  const values = new Random(5);
  const blocks = data.blocks.map(block => ({
    ...block,
    data: block.data.map(value => (values.uniform() < 0.1 ? Number.NaN : values.uniform() < 0.1 ? 0 : value)),
  }));
  return data.with({ blocks });
}

const data = holes(separable(7, 9, FEATURES));

describe.each(kinds)('%s', (_, model, tolerance) => {
  const perturbation = model.perturbation!();
  const size = perturbation.parameters.length;
  const steps = [0, 0.5, -2];

  it('scores altered parameters as a model with those does', () => {
    const block = data.blocks[0]!;
    const columns = matchFeatures(model, data);
    for (let trial = 0; trial < 3; trial++) {
      const direction = gaussian(size);
      // Twice as many rows as there will be, then fewer: buffers are reused.
      const rows = trial === 1 ? 27 : block.rows;
      const out = steps.map(() => new Float64Array(rows));
      perturbation.show({ ...block, rows }, columns, 0);
      perturbation.alter(direction, steps, out);
      for (const [k, step] of steps.entries()) {
        const altered = perturbation.at(perturbation.parameters.map((value, i) => value + step * direction[i]!));
        const wanted = scoreData(altered, data);
        const scale = Math.max(1, ...wanted.map(Math.abs));
        for (let i = 0; i < rows; i++) expect(Math.abs(out[k]![i]! - wanted[i]!)).toBeLessThan(tolerance * scale);
      }
    }
  });

  it.each([0, Number.NaN])('counts features that the data lacks as %s', absent => {
    const [first, ...others] = names;
    const narrow = data.with({ featureNames: [...others, 'unknown'].slice(0, FEATURES - 1) });
    const columns = matchFeatures(model, narrow, { fill: true });
    expect(columns[names.indexOf(first!)]).toBe(-1);
    const direction = gaussian(size);
    const out = [new Float64Array(data.rows)];
    perturbation.show(data.blocks[0]!, columns, absent);
    perturbation.alter(direction, [1], out);
    const altered = perturbation.at(perturbation.parameters.map((value, i) => value + direction[i]!));
    const wanted = scoreData(altered, narrow, { fill: true, absent });
    const scale = Math.max(1, ...wanted.map(Math.abs));
    for (let i = 0; i < data.rows; i++) expect(Math.abs(out[0]![i]! - wanted[i]!)).toBeLessThan(tolerance * scale);
  });

  it('describes every parameter differently', () => {
    const described = Array.from({ length: size }, (_, i) => perturbation.describe(i));
    expect(new Set(described).size).toBe(size);
  });

  it('still ignores features that the model does not name, altered or with an offset', () => {
    const used = model.with({ ignoresOthers: true });
    const altered = used.perturbation().at(perturbation.parameters);
    const wider = data.with({ featureNames: [...names.slice(1), 'other'] });
    const options = { fill: true };
    for (const copy of [used, altered, used.plus(0.5)]) expect(scoreData(copy, wider, options)).toHaveLength(data.rows);
    expect(() => scoreData(model, wider, options)).toThrow(/"other" that the model does not know/);
  });

  it('keeps the ranking at no alteration', () => {
    expect(scoreData(perturbation.at(perturbation.parameters), data)).toEqual(scoreData(model, data));
  });
});

it('names parameters in words', () => {
  const [linear, two, trees] = [kinds[0]![1], kinds[3]![1], kinds[4]![1]].map(model => model.perturbation!());
  expect(linear!.describe(1)).toBe('weight of feature "2"');
  expect(two!.describe(FEATURES + 1)).toBe('weight of feature "2" in unit 1.2');
  expect(two!.describe(13 * FEATURES + 12)).toBe('bias of unit 1.13');
  expect(two!.describe(13 * (FEATURES + 1) + 13)).toBe('weight of unit 1.1 in unit 2.2');
  expect(two!.describe(two!.parameters.length - 1)).toBe('weight of unit 2.4 in the score');
  expect([0, 5, 6, 7].map(i => trees!.describe(i))).toEqual([
    'leaf 1 of tree 1',
    'leaf 6 of tree 1',
    'leaf 1 of tree 2',
    'leaf 1 of tree 3',
  ]);
});
