/**
 * Forms of measures of a reader who goes down the list until satisfied: RR, success and ERR. The smooth one: with R_x
 * the probability that document x satisfies (for RR: 1 where it is relevant), it is the sum over x of R_x
 * discount(position x) [x within k] product over y != x of (1 - R_y [y before x]).
 */

import type { QueryView } from '../measure.js';
import type { ExpectationForm } from './expectation.js';
import type { RankDiscount } from './rank-discount.js';
import type { ApproxForm } from './smooth-forms.js';

export interface CascadeOptions {
  labels: string;
  satisfaction(label: number): number;
  discount: RankDiscount;
  cut: number;
  undefinedFor(view: QueryView): boolean;
}

/** Its expected value over random labels. */
export function cascadeExpectation({ satisfaction, discount, cut, undefinedFor }: CascadeOptions): ExpectationForm {
  return {
    form: 'cascade',
    gain: satisfaction,
    fill(view, byRank) {
      const table = discount.table(view.n);
      for (let r = 0; r < view.n; r++) byRank[r] = r < cut ? table[r]! : 0;
      return undefinedFor(view) ? Number.NaN : 1;
    },
  };
}

export function approxCascade({ labels, satisfaction, discount, cut, undefinedFor }: CascadeOptions): ApproxForm {
  return {
    value(view, ranking) {
      if (undefinedFor(view)) return Number.NaN;
      const byDocument = view.labels(labels);
      const members: number[] = [];
      const stops: number[] = [];
      for (let i = 0; i < view.n; i++) {
        const stop = satisfaction(byDocument[i]!);
        if (stop === 0) continue;
        members.push(i);
        stops.push(stop);
      }
      // upTo[m] is the product over the first m members.
      const upTo = new Float64Array(members.length + 1).fill(1);
      const factor = (y: number, x: number) => (y === x ? 1 : 1 - stops[y]! * ranking.before(members[y]!, members[x]!));
      let sum = 0;
      for (let x = 0; x < members.length; x++) {
        const document = members[x]!;
        for (let y = 0; y < members.length; y++) upTo[y + 1] = upTo[y]! * factor(y, x);
        const reached = stops[x]! * upTo[members.length]!;
        const position = ranking.position(document);
        const here = discount.at(position);
        const inside = cut < view.n ? ranking.within(document, cut) : 1;
        sum += reached * here * inside;
        ranking.addPosition(document, reached * inside * discount.slope(position));
        if (cut < view.n) ranking.addWithin(document, cut, reached * here);
        // Products from both ends instead of a division: a factor may be 0.
        let from = stops[x]! * here * inside;
        for (let y = members.length - 1; y >= 0; y--) {
          if (y === x) continue;
          ranking.addBefore(members[y]!, document, -stops[y]! * upTo[y]! * from);
          from *= factor(y, x);
        }
      }
      return sum;
    },
  };
}
