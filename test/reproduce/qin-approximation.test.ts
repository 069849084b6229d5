import { expect, it } from 'vitest';
import { experimentOf, keptResult } from '#listwise/reproduce/index.js';

const experiment = experimentOf('qin-2010-approximation');

it.each([
  ['holds', [0.3, 0.2, 0.1]],
  // One training each: a step against the trend may be chance.
  ['cannot tell', [0.3, 0.1, 0.2]],
  ['contradicted', [0.2, 0.1, 0.3]],
])('that the error falls: %s at %j', (verdict, errors) => {
  const { outcome } = keptResult(experiment, 'tiny')!;
  const runs = errors.map((error, i) => ({ value: `${i}`, objective: '', exact: 1, smooth: 1, errors: [error] }));
  const figures = [{ name: 'Figure', measure: 'ap', parameter: 'beta', runs }];
  expect(experiment.findings({ ...(outcome as object), figures }).at(-1)!.verdict).toBe(verdict);
});
