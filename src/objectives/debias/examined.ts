/**
 * The position-based model: a document is clicked where its position is examined and it attracts. Its score, with a
 * level that all share, is the log odds of a click where it is examined; the objective sees the log odds of a click
 * where it was shown. With the objective `logistic` that is the likelihood of the clicks.
 */
import type { QueryView } from '../../measures/measure.js';
import { FOUND, type LearnedMemory, type LearnedTable, type Learning } from '../learning.js';
import type { Lambdas, Objective, ObjectiveBody } from '../objective.js';
import { clickSource } from './click-source.js';
import { type ShownPositions, shownPositions } from './positions.js';
import { ShiftedView } from './shifted-view.js';
import { shownRun } from './shown-run.js';

/** The level moves by whole Newton steps, not longer than this. */
const LONGEST = 1;

/** Beyond it, e to the power of a number is not finite. */
const HIGHEST = 700;

/** By position, the logarithm of the chance that it is examined, 0 for the first; in its place is the level. */
type Values = Float64Array;

export function examined(part: Objective, { rate }: { readonly rate: number }): ObjectiveBody {
  const source = clickSource(part);
  const learning: Learning = {
    key: `examined ${rate} ${part.spec}`,
    begin: data => new Float64Array(shownPositions(data).at.length),
    advance(values: Values, { first, second }) {
      const newton = second[0]! > 0 ? first[0]! / second[0]! : 0;
      values[0]! += Math.max(-LONGEST, Math.min(LONGEST, newton));
      for (let k = 1; k < values.length; k++) {
        // Clicks over what was expected, where clicks are few; one more of both keeps a position without clicks.
        values[k] = Math.min(0, values[k]! + rate * Math.log1p(first[k]! / (1 + second[k]!)));
      }
    },
    table: (values, data) => tableOf(values, shownPositions(data)),
  };
  return {
    hessian: part.hessian,
    readsPositions: true,
    form: { kind: 'debiased', part, pairs: true },
    learning,
    start(data, arithmetic, learned) {
      const { values, found }: LearnedMemory = learned?.[learning.key] ?? { values: learning.begin(data) };
      const run = part.start(data, arithmetic, learned);
      const { groups } = shownPositions(data);
      const chances = new Float64Array(values.length);
      const read = () => {
        for (let k = 0; k < values.length; k++) chances[k] = k === 0 ? 1 : Math.exp(values[k]!);
      };
      read();
      const shifted = new ShiftedView();
      const show = (view: QueryView) => {
        const first = data.offsets[view.query]!;
        return shifted.show(view, (score, i) => {
          const group = groups[first + i]!;
          const attraction = score + values[0]!;
          return (group === 0 ? 0 : values[group]!) + attraction - Math.log(unseenShare(attraction, chances[group]!));
        });
      };
      const note = (view: QueryView, i: number, click: number) => {
        const row = data.offsets[view.query]! + i;
        const group = groups[row]!;
        const weight = (data.queryWeights?.[view.query] ?? 1) * (data.rowWeights?.[row] ?? 1);
        const odds = Math.exp(Math.min(shifted.scores[i]!, HIGHEST));
        // By the level: click less chance. By the logarithm of examination: that over the chance of no click.
        const own = Number.isNaN(click) ? 0 : group === 0 ? weight / (1 + odds) : weight;
        const clicked = Math.min(1, Math.max(0, click)) || 0;
        found![FOUND * row] = group;
        found![FOUND * row + 1] = own * (clicked - (1 - clicked) * odds);
        found![FOUND * row + 2] = own * (group === 0 ? odds / (1 + odds) : odds);
      };
      const finish = (view: QueryView, { lambda, hessian }: Lambdas) => {
        const first = data.offsets[view.query]!;
        const labels = view.labels(source);
        for (let i = 0; i < view.n; i++) {
          if (found !== undefined) note(view, i, labels[i]!);
          const slope = 1 / unseenShare(view.scores[i]! + values[0]!, chances[groups[first + i]!]!);
          lambda[i]! *= slope;
          hessian[i]! *= slope * slope;
        }
      };
      const shown = shownRun(run, show, finish);
      return {
        ...shown,
        beginIteration(iteration) {
          read();
          shown.beginIteration?.(iteration);
        },
      };
    },
  };
}

/**
 * With attraction a and the chance x of examination, the odds of a click are x e^a over this, and 1 over this is the
 * derivative of their logarithm by a.
 */
function unseenShare(attraction: number, chance: number): number {
  return 1 + (1 - chance) * Math.exp(Math.min(attraction, HIGHEST));
}

function tableOf(values: Values, { at, documents }: ShownPositions): LearnedTable {
  return {
    title: 'Position bias',
    lead: `The chance that a position is examined, beside position ${at[0]}.`,
    by: 'position',
    at,
    columns: [
      { name: 'documents', values: [...documents] },
      { name: 'examination', values: Array.from(values, (value, k) => (k === 0 ? 1 : Math.exp(value))) },
    ],
    drawn: 'examination',
  };
}
