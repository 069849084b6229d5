/**
 * How strongly a pair pulls, as a function of o = score of the better-labelled document minus score of the other.
 *
 * @example
 * import type { PairFactor } from 'listwise/objectives';
 *
 * const hinge: PairFactor = { lambda: o => (o < 1 ? 1 : 0), hessian: () => 0, convex: true };
 */
export interface PairFactor {
  /** Lambda on the better-labelled document; the other gets its negative. */
  lambda(o: number): number;
  /** Second derivative of the pair's cost, added to both documents. */
  hessian(o: number): number;
  /** The pair's cost, whose negative derivative is `lambda`; absent where there is none. */
  cost?(o: number): number;
  readonly convex: boolean;
  /** The kernel's own form of it, where it has one. */
  readonly kernel?: { readonly kind: 'logistic' | 'bell'; readonly shift: number; readonly near?: number };
}

/** 1 / (1 + e^-x) without overflow. */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** The derivative of `logistic`, p (1 - p), without losing the digits of a small 1 - p. */
function slope(x: number): number {
  return logistic(x) * logistic(-x);
}

/** log(1 + e^x) without overflow. */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** log(e^a + e^b). */
export function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  return b === -Infinity ? a : Math.max(a, b) + softplus(-Math.abs(a - b));
}

/** RankNet: cost log(1 + e^-o). */
export const logisticFactor: PairFactor = {
  lambda: o => logistic(-o),
  hessian: slope,
  cost: o => softplus(-o),
  convex: true,
  kernel: { kind: 'logistic', shift: 0 },
};

/** RankNet's, each pair divided by near + |o|: pairs close to changing places count most. */
export function closeFactor(near: number): PairFactor {
  return {
    lambda: o => logistic(-o) / (near + Math.abs(o)),
    hessian: o => slope(o) / (near + Math.abs(o)),
    convex: true,
    kernel: { kind: 'logistic', shift: 0, near },
  };
}

/** Svore's sigmoid objective: cost 1/(1 + e^(o + mu)), a lambda that fades for pairs far apart in either direction. */
export function bellFactor(mu: number): PairFactor {
  return {
    lambda: o => slope(o + mu),
    // e^x (e^x - 1) / (1 + e^x)^3 at x = o + mu
    hessian: o => slope(o + mu) * Math.tanh((o + mu) / 2),
    cost: o => logistic(-(o + mu)),
    convex: false,
    kernel: { kind: 'bell', shift: mu },
  };
}

/** The factor that Svore et al. print for the click tier: the cost log(1 + e^-o), where its derivative is due. */
export const printedFactor: PairFactor = { lambda: o => softplus(-o), hessian: o => logistic(-o), convex: true };

/** Ranking SVM: cost max(0, margin - o). */
export function hingeFactor(margin: number): PairFactor {
  return { lambda: o => (o < margin ? 1 : 0), hessian: () => 0, cost: o => Math.max(0, margin - o), convex: false };
}

/** A spring between neighbours: the gain over the distance it takes. */
export function inverseDistanceFactor(margin: number): PairFactor {
  return { lambda: o => 1 / (Math.abs(o) + margin), hessian: () => 0, convex: false };
}

/** A spring that is at rest where the better-labelled document is so far above: linear in the scores (Burges 2006). */
export function springFactor(rest: number): PairFactor {
  return { lambda: o => rest - o, hessian: () => 1, cost: o => (rest - o) ** 2 / 2, convex: true };
}
