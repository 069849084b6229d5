/**
 * The position-based model: a document is clicked where its position is examined and it attracts. Its score, with a
 * level that all share, is the log odds of a click where it is examined; the objective sees the log odds of a click
 * where it was shown. With the objective `logistic` that is the likelihood of the clicks. Pairs know nothing of lists
 * without clicks, though what was examined there did not attract: beside them counts the likelihood, too.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import type { QueryView } from '../../measures/measure.js';
import type { Steps } from '../../steps.js';
import { madeOfPairs } from '../form.js';
import { FOUND, type GroupSums, type LearnedMemory, type LearnedTable, type Learning } from '../learning.js';
import type { Lambdas, Objective, ObjectiveBody } from '../objective.js';
import { softplus } from '../pairs/pair-factor.js';
import { clickSource } from './click-source.js';
import { type ShownPositions, shownPositions } from './positions.js';
import { ShiftedView } from './shifted-view.js';
import { shownRun } from './shown-run.js';

/** What a pair counts beside a document: lists have many more pairs, all of which share a few clicks. */
const PAIR = 0.1;

/** The level moves by whole Newton steps, not longer than this. */
const LONGEST = 1;

/** Beyond it, e to the power of a number is not finite. */
const HIGHEST = 700;

/** By position, the logarithm of the chance that it is examined, 0 for the first; in its place is the level. */
type Values = Float64Array;

export interface ExaminedOptions {
  /** The share of each step of the chances; undefined where they are learned before the model, and stay. */
  readonly rate: number | undefined;
  /** Whether pairs are all that counts, as in a lower tier, which says nothing of other pairs. */
  readonly pairsAlone: boolean;
}

export function examined(part: Objective, { rate, pairsAlone }: ExaminedOptions): ObjectiveBody {
  const source = clickSource(part);
  const beside = madeOfPairs(part) && !pairsAlone;
  const learning: Learning = {
    key: `${rate === undefined ? 'examined' : `joint ${rate}`}${beside ? '' : ' alone'} ${part.spec}`,
    begin: data => new Float64Array(shownPositions(data).at.length),
    ...(rate === undefined && {
      rehearsal: {
        objective: `debias(logistic(labels=${source}),positions=joint,rate=0.2)`,
        take(values: Values, data: Dataset) {
          values[0] = levelOf(values, data, source);
        },
      },
    }),
    advance: (values, sums) => advance(values, sums, rate),
    table: (values, data) => tableOf(values, shownPositions(data)),
  };
  return {
    hessian: part.hessian,
    readsPositions: true,
    likelihood: beside || part.likelihood === true,
    form: { kind: 'debiased', part, pairs: !beside },
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
      /** By the level: click less chance. By the logarithm of examination: that over the chance of no click. */
      const note = (view: QueryView, i: number, clicked: number) => {
        const row = data.offsets[view.query]! + i;
        const group = groups[row]!;
        const ofLevel = group === 0 || rate === undefined;
        const weight = (data.queryWeights?.[view.query] ?? 1) * (data.rowWeights?.[row] ?? 1);
        const odds = Math.exp(Math.min(shifted.scores[i]!, HIGHEST));
        const slope = rate === undefined ? 1 / unseenShare(view.scores[i]! + values[0]!, chances[group]!) : 1;
        const own = Number.isNaN(clicked) ? 0 : ofLevel ? (weight * slope) / (1 + odds) : weight;
        found![FOUND * row] = group;
        found![FOUND * row + 1] = own * ((clicked || 0) - (1 - (clicked || 0)) * odds);
        found![FOUND * row + 2] = own * (ofLevel ? (slope * odds) / (1 + odds) : odds);
      };
      const finish = (view: QueryView, { lambda, hessian }: Lambdas) => {
        const first = data.offsets[view.query]!;
        const labels = view.labels(source);
        let added = 0;
        for (let i = 0; i < view.n; i++) {
          const clicked = Math.min(1, Math.max(0, labels[i]!));
          if (found !== undefined) note(view, i, clicked);
          if (beside && !Number.isNaN(clicked)) {
            const chance = 1 / (1 + Math.exp(-shifted.scores[i]!));
            lambda[i] = PAIR * lambda[i]! + clicked - chance;
            hessian[i] = PAIR * hessian[i]! + chance * (1 - chance);
            if (clicked !== chance) added++;
          }
          const slope = 1 / unseenShare(view.scores[i]! + values[0]!, chances[groups[first + i]!]!);
          lambda[i]! *= slope;
          hessian[i]! *= slope * slope;
        }
        return added;
      };
      const { cost, costSteps, ...shown } = shownRun(run, show, finish);
      const withLikelihood = (view: QueryView, ofPairs: number) => {
        const labels = view.labels(source);
        let sum = PAIR * ofPairs;
        for (let i = 0; i < view.n; i++) {
          if (Number.isNaN(labels[i])) continue;
          sum += softplus(shifted.scores[i]!) - Math.min(1, Math.max(0, labels[i]!)) * shifted.scores[i]!;
        }
        return sum;
      };
      function* allSteps(view: QueryView): Steps<number> {
        return withLikelihood(view, yield* costSteps!(view));
      }
      return {
        ...shown,
        ...(cost && { cost: beside ? (view: QueryView) => withLikelihood(view, cost(view)) : cost }),
        ...(costSteps && { costSteps: beside ? allSteps : costSteps }),
        beginIteration(iteration) {
          read();
          shown.beginIteration?.(iteration);
        },
      };
    },
  };
}

function advance(values: Values, { first, second }: GroupSums, rate: number | undefined): void {
  // Where chances stay, all documents tell of the level.
  const of = rate === undefined ? values.length : 1;
  const [slope, bend] = [first, second].map(sums => sums.subarray(0, of).reduce((sum, own) => sum + own, 0));
  values[0]! += bend! > 0 ? Math.max(-LONGEST, Math.min(LONGEST, slope! / bend!)) : 0;
  if (rate === undefined) return;
  for (let k = 1; k < values.length; k++) {
    // Clicks over what was expected, where clicks are few; one more of both keeps a position without clicks.
    values[k] = Math.min(0, values[k]! + rate * Math.log1p(first[k]! / (1 + second[k]!)));
  }
}

/** The log odds that documents attract, all alike: as many clicks as there were. */
function levelOf(values: Values, data: Dataset, source: string): number {
  const { groups } = shownPositions(data);
  let [clicks, examined] = [0, 0];
  data.label(source).forEach((label, row) => {
    if (Number.isNaN(label)) return;
    clicks += Math.min(1, Math.max(0, label));
    examined += groups[row] === 0 ? 1 : Math.exp(values[groups[row]!]!);
  });
  if (clicks === 0) {
    const detail = `debias finds nothing to learn: no document is clicked (${source} is above 0 nowhere)`;
    throw new ListwiseError('training-without-lambda', detail);
  }
  // One of both, so that there is a chance of either.
  const share = (clicks + 1) / Math.max(examined + 2, clicks + 2);
  return Math.log(share / (1 - share));
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
