/** Gauss-Legendre quadrature on [0, 1]: n points integrate polynomials of degree up to 2 n - 1 exactly. */

export interface Quadrature {
  readonly points: Float64Array;
  readonly weights: Float64Array;
}

const known = new Map<number, Quadrature>();

export function gaussLegendre(n: number): Quadrature {
  let found = known.get(n);
  if (found === undefined) {
    found = compute(n);
    known.set(n, found);
  }
  return found;
}

/** Roots of the Legendre polynomial by Newton's method, from the usual first guess. */
function compute(n: number): Quadrature {
  const points = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      let [before, value] = [0, 1];
      for (let k = 1; k <= n; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
      slope = (n * (before - x * value)) / (1 - x * x);
      const change = value / slope;
      x -= change;
      if (Math.abs(change) < 1e-16) break;
    }
    points[i] = (1 - x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return { points, weights };
}
