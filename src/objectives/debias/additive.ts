/**
 * Bias as a term that adds to scores: clicks follow score + bias of the position. Both are learned from the same
 * lambdas; the bias by a Newton step of its own after each iteration, as LightGBM does, or a longer one.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError } from '../../errors.js';
import type { QueryView } from '../../measures/measure.js';
import { madeOfPairs, partsOf } from '../form.js';
import { FOUND, type LearnedMemory, type LearnedTable, type Learning } from '../learning.js';
import type { Lambdas, Objective, ObjectiveBody } from '../objective.js';
import { type ShownPositions, shownPositions } from './positions.js';
import { ShiftedView } from './shifted-view.js';
import { shownRun } from './shown-run.js';

export interface AdditiveOptions {
  readonly rate: number;
  readonly l2: number;
}

/** Keeps a position without hessian where it is. */
const LEAST_HESSIAN = 0.001;

/** From here down, Newton steps are lengthened, so many times as much. */
const [FAR, LONGER] = [-0.6, 7];

/**
 * A small chance of a click is at most divided by e in one Newton step: a position that is clicked far less than
 * expected would be followed too slowly, and the model would learn from its documents what is the position's.
 */
function stepOf(newton: number): number {
  return newton + LONGER * Math.min(0, Math.max(newton, -1) - FAR);
}

/** Lambdas over their deviation never get smaller, so that a bias learned from them would grow without end. */
function refuseScaled(objective: Objective): void {
  if (objective.form?.kind === 'scaled') {
    throw new ListwiseError(
      'spec-parameter',
      `debias: no bias can be learned from the lambdas of ${objective.spec}, whose size is always the same; put debias inside: normalise(debias(…))`,
    );
  }
  partsOf(objective).forEach(refuseScaled);
}

export function additive(part: Objective, { rate, l2 }: AdditiveOptions): ObjectiveBody {
  refuseScaled(part);
  const learning: Learning = {
    key: `additive ${rate} ${l2} ${part.spec}`,
    begin: data => new Float64Array(shownPositions(data).at.length),
    advance(bias, { documents, first, second }) {
      for (let k = 0; k < bias.length; k++) {
        const drawn = l2 * documents[k]!;
        bias[k]! += rate * stepOf((first[k]! - drawn * bias[k]!) / (second[k]! + drawn + LEAST_HESSIAN));
      }
    },
    table: (bias, data) =>
      tableOf(bias, shownPositions(data), madeOfPairs(part) ? firstShare(data, part.labels[0]!) : 0),
  };
  return {
    hessian: part.hessian,
    readsPositions: true,
    form: { kind: 'debiased', part, pairs: true },
    learning,
    start(data, arithmetic, learned) {
      const { values: bias, found }: LearnedMemory = learned?.[learning.key] ?? { values: learning.begin(data) };
      const run = part.start(data, arithmetic, learned);
      const { groups } = shownPositions(data);
      const shifted = new ShiftedView();
      const show = (view: QueryView) => {
        const first = data.offsets[view.query]!;
        return shifted.show(view, (score, i) => score + bias[groups[first + i]!]!);
      };
      const note = ({ query, n }: QueryView, { lambda, hessian }: Lambdas) => {
        if (found === undefined) return 0;
        const first = data.offsets[query]!;
        for (let i = 0; i < n; i++) {
          const row = first + i;
          const weight = (data.queryWeights?.[query] ?? 1) * (data.rowWeights?.[row] ?? 1);
          found[FOUND * row] = groups[row]!;
          found[FOUND * row + 1] = weight * lambda[i]!;
          // Without a hessian that is one, steps are as long as lambdas agree.
          found[FOUND * row + 2] = weight * (part.hessian === 'positive' ? hessian[i]! : Math.abs(lambda[i]!));
        }
        return 0;
      };
      return shownRun(run, show, note);
    },
  };
}

/**
 * Pairs tell documents by the odds of a click, and e to the power of a bias is a ratio of odds. Where a share of the
 * documents at the first position was clicked, the ratio of chances is this (Zhang, Yu 1998).
 */
function chanceRatio(oddsRatio: number, share: number): number {
  return oddsRatio / (1 - share + share * oddsRatio);
}

/** The share of documents at the first position that were clicked. */
function firstShare(data: Dataset, source: string): number {
  const { groups, documents } = shownPositions(data);
  const clicked = data.label(source).reduce((sum, label, row) => sum + Number(groups[row] === 0 && label > 0), 0);
  return clicked / documents[0]!;
}

function tableOf(bias: Float64Array, { at, documents }: ShownPositions, share: number): LearnedTable {
  const relative = Array.from(bias, value => value - bias[0]!);
  return {
    title: 'Position bias',
    lead: `What a position adds to the score of a document, and how much less it is examined for that, both beside position ${at[0]}.`,
    by: 'position',
    at,
    columns: [
      { name: 'documents', values: [...documents] },
      { name: 'bias', values: relative },
      { name: 'examination', values: relative.map(value => chanceRatio(Math.exp(value), share)) },
    ],
    drawn: 'examination',
  };
}
