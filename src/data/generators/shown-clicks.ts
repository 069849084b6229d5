/**
 * Clicks on lists that somebody saw: a weak ranker puts documents at positions, a position is examined the less the
 * further down it is, and what is examined is clicked the more the better its grade (the position-based model).
 */
import { ListwiseError, quote } from '../../errors.js';
import type { Random } from '../../numeric/random.js';
import { numberParameter, type Parameters, readParameters, type ValuesOf } from '../../spec/parameters.js';
import { parseSpec } from '../../spec/spec.js';

const NAME = 'positions';

const parameters = {
  eta: numberParameter({ default: 1, min: 0, description: 'Position k is examined with the chance (1/k)^eta.' }),
  noise: numberParameter({
    default: 0.05,
    min: 0,
    max: 1,
    description:
      'The chance that a document of grade 0 is clicked once it is examined; that of the highest grade is 1.',
  }),
} as const satisfies Parameters;

export interface ShownClicks extends ValuesOf<typeof parameters> {
  readonly highestGrade: number;
}

/** Reads `positions` or `positions(eta=2,noise=0.1)`. */
export function shownClicks(text: string, highestGrade: number): ShownClicks {
  const spec = parseSpec(text);
  if (spec.name !== NAME || spec.args.length > 0 || spec.cut !== undefined) {
    throw new ListwiseError('spec-unknown', `clicks are ${NAME}, as in ${NAME}(eta=2), found ${quote(text)}`);
  }
  return { ...readParameters(NAME, parameters, spec), highestGrade };
}

/** The chance that a position, from 1, is looked at. */
export function examination(position: number, eta: number): number {
  return position ** -eta;
}

/**
 * Of the ranker that shows the lists: it knows a little of the grades, and has a taste that features tell and grades do
 * not. Training on its clicks as they are learns that taste.
 */
const RANKER = { grade: 0.5, appeal: 1, chance: 0.5 } as const;

/** Fills in, for each document of a query, where it was shown, from 1, and whether it was clicked. */
export function showQuery(
  { eta, noise, highestGrade }: ShownClicks,
  random: Random,
  grades: Float64Array,
  appeal: Float64Array,
  out: { readonly positions: Float64Array; readonly clicks: Float64Array },
): void {
  const scores = grades.map(
    (grade, i) => RANKER.grade * grade + RANKER.appeal * appeal[i]! + RANKER.chance * random.gaussian(),
  );
  const order = Array.from(grades.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  for (const [r, i] of order.entries()) {
    const attraction = noise + ((1 - noise) * grades[i]!) / highestGrade;
    out.positions[i] = r + 1;
    out.clicks[i] = Number(random.uniform() < examination(r + 1, eta) * attraction);
  }
}
