/** Compared pairs of systems, as commands give them to other programs. */
import type { ComparedPair } from '../analysis/compare.js';

export function pairJson(pair: ComparedPair) {
  return {
    measure: pair.measure,
    a: pair.a,
    b: pair.b,
    difference: pair.difference,
    ci: pair.interval,
    effect: pair.effect,
    queries: pair.n,
    wins: pair.wins,
    ties: pair.ties,
    losses: pair.losses,
    p: pair.p,
    adjusted: pair.adjusted,
    significant: pair.significant,
    notes: pair.notes,
  };
}
