/** The special functions that p-values need: relative errors near 1e-13 far into the tails, down to 1e-300. */

const HALF_LOG_TWO_PI = 0.9189385332046727;

/** ln Γ(x) - ((x - 1/2) ln x - x + ln(2π)/2): the rest of Stirling's formula, for x >= 10 (Bernoulli numbers). */
function stirlingRest(x: number): number {
  const z = 1 / (x * x);
  const terms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
  let sum = 0;
  for (let i = terms.length - 1; i >= 0; i--) sum = sum * z + terms[i]!;
  return sum / x;
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  let shift = 1;
  let y = x;
  for (; y < 10; y++) shift *= y; // Γ(x) = Γ(x + k) / (x (x + 1) … (x + k - 1))
  return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + stirlingRest(y) - Math.log(shift);
}

/** ln B(a, b), without the cancellation of three large logarithms. */
export function logBeta(a: number, b: number): number {
  const p = Math.min(a, b);
  const q = Math.max(a, b);
  if (q < 10) return logGamma(p) + logGamma(q) - logGamma(p + q);
  const share = p / (p + q);
  const rest = stirlingRest(q) - stirlingRest(p + q);
  if (p < 10) return logGamma(p) + rest + p - p * Math.log(p + q) + (q - 0.5) * Math.log1p(-share);
  return (
    HALF_LOG_TWO_PI - 0.5 * Math.log(q) + stirlingRest(p) + rest + (p - 0.5) * Math.log(share) + q * Math.log1p(-share)
  );
}

const TINY = 1e-300;
const MOST_STEPS = 100_000;

/**
 * b_0 + a_1/(b_1 + a_2/(b_2 + …)) by the modified method of Lentz. `term(m)` gives [a_m, b_m].
 */
function continuedFraction(b0: number, term: (m: number) => readonly [number, number]): number {
  let value = b0 === 0 ? TINY : b0;
  let c = value;
  let d = 0;
  for (let m = 1; m < MOST_STEPS; m++) {
    const [a, b] = term(m);
    d = b + a * d;
    if (d === 0) d = TINY;
    c = b + a / c;
    if (c === 0) c = TINY;
    d = 1 / d;
    const step = c * d;
    value *= step;
    if (Math.abs(step - 1) < 1e-16) return value;
    // The last bit may flicker for ever; by then the value is as good as it gets.
    if (m > 1000 && Math.abs(step - 1) < 4e-16) return value;
  }
  throw new Error('a continued fraction did not converge');
}

/** The regularised incomplete beta function I_x(a, b); y = 1 - x is given too, so that neither end loses digits. */
export function incompleteBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(y, x, b, a);
  const logX = x < 0.5 ? Math.log(x) : Math.log1p(-y);
  const logY = y < 0.5 ? Math.log(y) : Math.log1p(-x);
  const front = Math.exp(a * logX + b * logY - logBeta(a, b)) / a;
  const fraction = continuedFraction(1, step => {
    const m = step >> 1;
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    return [step % 2 === 0 ? even : odd, 1];
  });
  return front / fraction;
}

/** The complementary error function, to full relative precision for large x. */
export function erfc(x: number): number {
  if (x < 2) {
    // erf(x) = 2/sqrt(π) e^(-x²) sum 2^n x^(2n+1) / (1·3·5…(2n+1)): all terms of one sign.
    if (x < 0) return 2 - erfc(-x);
    let term = x;
    let sum = x;
    for (let n = 1; term > 1e-17 * sum; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  // erfc(x) = e^(-x²)/sqrt(π) · 1/(x + (1/2)/(x + (2/2)/(x + …)))
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * continuedFraction(x, m => [m / 2, x]));
}

/** P(|Z| >= |z|) of a standard normal Z. */
export function normalTwoSided(z: number): number {
  return erfc(Math.abs(z) / Math.SQRT2);
}

/** P(|T| >= |t|) of Student's t with `df` degrees of freedom. */
export function studentTwoSided(t: number, df: number): number {
  if (Math.abs(t) === Number.POSITIVE_INFINITY) return 0;
  // Squares of the ratio, not of t, so that a huge t does not overflow.
  const ratio = (t / Math.sqrt(df)) ** 2;
  if (ratio === Number.POSITIVE_INFINITY) return 0;
  return incompleteBeta(1 / (1 + ratio), ratio / (1 + ratio), df / 2, 0.5);
}

/** The t with P(|T| >= t) = alpha. */
export function studentCritical(alpha: number, df: number): number {
  let low = 0;
  let high = 1;
  while (studentTwoSided(high, df) > alpha) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (studentTwoSided(middle, df) > alpha) low = middle;
    else high = middle;
  }
}

/** C(n, k) / 2^n: a product where 2^-n can be written, else in log space. */
function binomialTerm(k: number, n: number): number {
  if (n > 1000) return Math.exp(-Math.log(n + 1) - logBeta(k + 1, n - k + 1) - n * Math.LN2);
  let term = 2 ** -n;
  for (let i = 1; i <= k; i++) term = (term * (n - k + i)) / i;
  return term;
}

/** P(X <= k) of X ~ binomial(n, 1/2), for k <= n / 2: the largest term times a sum of ratios. */
export function binomialLowerTail(k: number, n: number): number {
  let ratio = 1;
  let sum = 1;
  for (let i = k; i > 0 && ratio > 1e-18 * sum; i--) {
    ratio *= i / (n - i + 1); // C(n, i-1) / C(n, i)
    sum += ratio;
  }
  return binomialTerm(k, n) * sum;
}
