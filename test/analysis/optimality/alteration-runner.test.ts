import { expect, it } from 'vitest';
import { AlterationRunner } from '#listwise/analysis/optimality/alteration-runner.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { LOOKS_A_STEP } from '#listwise/steps.js';
import { separable } from '../../training/small-data.js';

it('lets signals through between the steps along one direction, where a query is long', () => {
  const rows = 150_000;
  const data = separable(1, rows, 2);
  const model = new LinearModel({ featureNames: data.featureNames, weights: [1, 0.5] });
  const steps = Array.from({ length: 15 }, (_, k) => (k + 1) / 10);
  const kind = { numbers: Uint32Array.of(0), steps, values: new Float64Array(steps.length) };
  const runner = new AlterationRunner(model.perturbation(), data, [parseMeasure('ndcg@10')], {
    columns: Int32Array.of(0, 1),
    absent: 0,
    ties: 'expected',
    seed: 1,
    length: 1,
    batch: 1,
    kinds: { random: kind, single: { ...kind, numbers: new Uint32Array(0) } },
  });
  expect([...runner.run('random', 0)].length).toBeGreaterThan((steps.length * rows) / LOOKS_A_STEP - 1);
  expect(kind.values.every(value => value > 0)).toBe(true);
});
