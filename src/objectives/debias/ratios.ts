/**
 * Bias as ratios of pairs (Hu et al. 2019): a clicked document at position i above one at position j that is not
 * clicked is worth 1 / (t+ of i times t- of j). Both ratios are what makes the mean cost of pairs the same for all
 * positions.
 */
import { longestQuery } from '../../data/longest-query.js';
import { ListwiseError } from '../../errors.js';
import type { QueryView } from '../../measures/measure.js';
import { atOnce, type Steps } from '../../steps.js';
import { pairSum, type WeightedPairs } from '../form.js';
import { FOUND, type LearnedMemory, type LearnedTable, type Learning } from '../learning.js';
import type { Lambdas, Objective, ObjectiveBody } from '../objective.js';
import { needsSteps, pairSteps } from '../pairs/pair-lambdas.reference.js';
import { weightsStay } from '../pairs/pair-plan.js';
import { type ShownPositions, shownPositions } from './positions.js';

export interface RatioOptions {
  readonly rate: number;
  /** Ratios are to the power 1 / (1 + p). */
  readonly p: number;
}

export function ratios(part: Objective, { rate, p }: RatioOptions): ObjectiveBody {
  const pairsAt = (iteration: number): readonly WeightedPairs[] => {
    const pairs = pairSum(part, iteration);
    if (pairs?.every(({ plan }) => plan.factor.cost !== undefined)) return pairs;
    throw new ListwiseError(
      'spec-parameter',
      `debias: positions=ratios needs an objective whose lambdas are a sum over pairs with a cost, found ${part.spec}; take positions=additive, or put debias inside`,
    );
  };
  pairsAt(1);
  const learning: Learning = {
    key: `ratios ${rate} ${p} ${part.spec}`,
    begin: data => new Float64Array(2 * shownPositions(data).at.length).fill(1),
    advance(values, { first, second }) {
      const positions = values.length / 2;
      move(values.subarray(0, positions), first, rate, 1 / (1 + p));
      move(values.subarray(positions), second, rate, 1 / (1 + p));
    },
    table: (values, data) => tableOf(values, shownPositions(data), p),
  };
  return {
    hessian: part.hessian,
    readsPositions: true,
    form: { kind: 'debiased', part, pairs: true },
    learning,
    start(data, _, learned) {
      const { values, found }: LearnedMemory = learned?.[learning.key] ?? { values: learning.begin(data) };
      const { at, groups } = shownPositions(data);
      const clicked = values.subarray(0, at.length);
      const unclicked = values.subarray(at.length);
      let pairs = pairsAt(1);
      function* visit(
        view: QueryView,
        each: (better: number, worse: number, weight: number, of: WeightedPairs) => void,
      ): Steps<void> {
        for (const of of pairs) {
          if (of.weight !== 0) yield* pairSteps(of.plan, view, (i, j, weight) => each(i, j, of.weight * weight, of));
        }
      }
      function* steps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
        const first = data.offsets[view.query]!;
        lambda.fill(0, 0, view.n);
        hessian.fill(0, 0, view.n);
        if (found !== undefined) {
          for (let i = 0; i < view.n; i++) found.fill(0, FOUND * (first + i), FOUND * (first + i + 1));
          for (let i = 0; i < view.n; i++) found[FOUND * (first + i)] = groups[first + i]!;
        }
        let count = 0;
        yield* visit(view, (i, j, weight, { plan: { factor } }) => {
          const [up, down] = [clicked[groups[first + i]!]!, unclicked[groups[first + j]!]!];
          const o = view.scores[i]! - view.scores[j]!;
          const pull = (weight * factor.lambda(o)) / (up * down);
          const bend = (weight * factor.hessian(o)) / (up * down);
          if (pull !== 0) count++;
          lambda[i]! += pull;
          lambda[j]! -= pull;
          hessian[i]! += bend;
          hessian[j]! += bend;
          if (found === undefined) return;
          const cost = weight * factor.cost!(o) * (data.queryWeights?.[view.query] ?? 1);
          found[FOUND * (first + i) + 1]! += cost / down;
          found[FOUND * (first + j) + 2]! += cost / up;
        });
        return count;
      }
      function* sumSteps(view: QueryView): Steps<number> {
        const first = data.offsets[view.query]!;
        let sum = 0;
        yield* visit(view, (i, j, weight, { plan: { factor } }) => {
          const o = view.scores[i]! - view.scores[j]!;
          sum += (weight * factor.cost!(o)) / (clicked[groups[first + i]!]! * unclicked[groups[first + j]!]!);
        });
        return sum;
      }
      return {
        beginIteration(iteration) {
          pairs = pairsAt(iteration);
        },
        lambdas: (view, out) => atOnce(steps(view, out)),
        ...(pairs.some(({ plan }) => needsSteps(plan, longestQuery(data))) && { lambdaSteps: steps }),
        ...(pairs.every(({ plan }) => weightsStay(plan)) && {
          cost: (view: QueryView) => atOnce(sumSteps(view)),
          costSteps: sumSteps,
        }),
      };
    },
  };
}

/** Ratios to the first position that has pairs; one without pairs keeps what it has, since it is in none. */
function move(ratio: Float64Array, sums: Float64Array, rate: number, power: number): void {
  const first = sums.findIndex(sum => sum > 0);
  if (first < 0) return;
  for (let k = 0; k < ratio.length; k++) {
    if (sums[k]! > 0) ratio[k] = ratio[k]! ** (1 - rate) * ((sums[k]! / sums[first]!) ** power) ** rate;
  }
}

function tableOf(values: Float64Array, { at, documents }: ShownPositions, p: number): LearnedTable {
  const clicked = Array.from(values.subarray(0, at.length));
  return {
    title: 'Position bias',
    lead: `What pairs of a position are divided by: t+ where its document was clicked, t- where it was not. Examination is t+ to the power ${1 + p}, which ratios are drawn together by, beside position ${at[0]}.`,
    by: 'position',
    at,
    columns: [
      { name: 'documents', values: [...documents] },
      { name: 't+', values: clicked },
      { name: 't-', values: Array.from(values.subarray(at.length)) },
      { name: 'examination', values: clicked.map(value => (value / clicked[0]!) ** (1 + p)) },
    ],
    drawn: 'examination',
  };
}
