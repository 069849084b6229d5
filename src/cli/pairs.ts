/** Compared pairs of systems, as `compare`, `cv` and `tune` show them. */
import type { ComparedPair, Comparison } from '../analysis/compare.js';
import type { TestName } from '../analysis/significance/paired.js';
import { pValue, right, signed, table } from './terminal/table.js';

/** A compared pair as JSON shows it. */
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

/** Compared pairs as people read them. */
export function pairsTable({ pairs, alpha }: Comparison): string {
  const level = `${Number((100 * (1 - alpha)).toFixed(6))} % interval`;
  const names: readonly TestName[] = ['t', 'wilcoxon', 'sign', 'randomisation'];
  return table(
    [
      { title: 'measure' },
      { title: 'a - b' },
      right('difference'),
      right(level),
      right('effect'),
      right('wins/ties/losses'),
      ...names.map(name => right(`p ${name}`)),
      { title: 'significant' },
    ],
    pairs.map(pair => [
      pair.measure,
      `${pair.a} - ${pair.b}`,
      signed(pair.difference),
      `${signed(pair.interval[0])} to ${signed(pair.interval[1])}`,
      Number.isFinite(pair.effect) ? pair.effect.toFixed(2) : '-',
      `${pair.wins}/${pair.ties}/${pair.losses}`,
      ...names.map(name => pValue(pair.adjusted[name])),
      pair.significant ? 'yes' : 'no',
    ]),
  );
}
