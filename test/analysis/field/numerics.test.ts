import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eigenvalueSteps } from '#listwise/analysis/field/eigenvalues.js';
import { integrateSteps } from '#listwise/analysis/field/loop-integral.js';
import { atOnce, inOneStep } from '#listwise/steps.js';

const symmetricEigenvalues = (matrix: Float64Array, n: number) => atOnce(eigenvalueSteps(matrix, n));
const integrate = (f: (x: number) => Float64Array, from: number, to: number) =>
  atOnce(integrateSteps(x => inOneStep(() => f(x)), from, to));

describe('symmetricEigenvalues', () => {
  it('gives those of a path, which are known: 2 - 2 cos(pi k / n)', () => {
    for (const n of [1, 2, 3, 10, 40]) {
      const matrix = new Float64Array(n * n);
      for (let i = 0; i + 1 < n; i++) {
        matrix[i * n + i]! += 1;
        matrix[(i + 1) * n + i + 1]! += 1;
        matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
      }
      const wanted = Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos((Math.PI * k) / n));
      for (const [k, value] of symmetricEigenvalues(matrix, n).entries()) expect(value).toBeCloseTo(wanted[k]!, 12);
    }
  });

  it('finds again what a matrix was made of: Q D Q with Q a reflection', () => {
    const numbers = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(numbers, fc.infiniteStream(fc.double({ min: 0.1, max: 1, noNaN: true })), (values, stream) => {
        const n = values.length;
        const v = Array.from({ length: n }, () => stream.next().value as number);
        const length = v.reduce((sum, x) => sum + x * x, 0);
        const q = (i: number, j: number) => (i === j ? 1 : 0) - (2 * v[i]! * v[j]!) / length;
        const matrix = Float64Array.from({ length: n * n }, (_, at) => {
          const [i, j] = [Math.floor(at / n), at % n];
          return values.reduce((sum, value, k) => sum + q(i, k) * value * q(k, j), 0);
        });
        const sorted = values.toSorted((a, b) => a - b);
        for (const [k, found] of symmetricEigenvalues(matrix, n).entries()) expect(found).toBeCloseTo(sorted[k]!, 9);
      }),
    );
  });

  it('refuses what is not finite', () => {
    expect(() => symmetricEigenvalues(Float64Array.from([1, Number.NaN, 0, 1]), 2)).toThrow('not finite');
  });
});

describe('integrate', () => {
  const integral = (f: (x: number) => number, from: number, to: number) =>
    integrate(x => Float64Array.from([f(x)]), from, to)[0]!;

  it('is exact for smooth functions', () => {
    expect(integral(x => x ** 11, 0, 2)).toBeCloseTo(2 ** 12 / 12, 6);
    expect(integral(Math.exp, -3, 1)).toBeCloseTo(Math.exp(1) - Math.exp(-3), 9);
    expect(integral(x => 1 / (1 + Math.exp(100 * x)), -1, 1)).toBeCloseTo(1, 9);
  });

  it('finds a step wherever it is', () => {
    for (const at of [0.0001, 0.1, 1 / 3, 0.77, 0.999])
      expect(integral(x => (x < at ? 1 : 0), 0, 1)).toBeCloseTo(at, 7);
  });

  it('finds two steps that cancel by the components in which they do not', () => {
    const step = (x: number, at: number) => (x < at ? 1 : 0);
    const steps = (x: number) => Float64Array.from([step(x, 0.3) - step(x, 0.301), step(x, 0.3), step(x, 0.301)]);
    expect(integrate(steps, 0, 1)[0]).toBeCloseTo(-0.001, 7);
  });
});
