/**
 * Propensities that are known: every clicked document counts by itself, as the one relevant document of its query,
 * times 1 / the chance that its position was examined. In expectation that is the objective with every position
 * examined (Joachims, Swaminathan, Schnabel 2017), for any objective that is a sum over relevant documents.
 */
import type { Dataset } from '../../data/dataset.js';
import { longestQuery } from '../../data/longest-query.js';
import { ListwiseError } from '../../errors.js';
import type { QueryView } from '../../measures/measure.js';
import { atOnce, LOOKS_A_STEP, type Steps } from '../../steps.js';
import { costSteps, type Lambdas, lambdaSteps, type Objective, type ObjectiveBody } from '../objective.js';
import { Scratch } from '../scratch.js';
import { clickSource } from './click-source.js';
import { ClickView } from './click-view.js';
import { shownPositions } from './positions.js';

/** `propensity` of a position; undefined where none is known. */
export function propensities(part: Objective, propensity: (position: number) => number | undefined): ObjectiveBody {
  const source = clickSource(part);
  return {
    hessian: part.hessian,
    readsPositions: true,
    form: { kind: 'debiased', part, pairs: false },
    start(data, arithmetic, learned) {
      const run = part.start(data, arithmetic, learned);
      const weights = clickWeights(data, source, propensity);
      const scratch = new Scratch();
      const clicked = new ClickView(source);
      function* clicks(view: QueryView): Generator<number, void, void> {
        const first = data.offsets[view.query]!;
        for (let i = 0; i < view.n; i++) if (weights[first + i]! > 0) yield i;
      }
      function* steps(view: QueryView, { lambda, hessian }: Lambdas): Steps<number> {
        const { n } = view;
        const own = { lambda: scratch.array(0, n), hessian: scratch.array(1, n) };
        lambda.fill(0, 0, n);
        hessian.fill(0, 0, n);
        let count = 0;
        let looks = 0;
        for (const document of clicks(view)) {
          looks += n;
          if (looks > LOOKS_A_STEP) {
            looks = 0;
            yield document / n;
          }
          const weight = weights[data.offsets[view.query]! + document]!;
          count += yield* lambdaSteps(run, clicked.show(view, document), own);
          for (let i = 0; i < n; i++) {
            lambda[i]! += weight * own.lambda[i]!;
            hessian[i]! += weight * own.hessian[i]!;
          }
        }
        return count;
      }
      function* sumSteps(view: QueryView): Steps<number> {
        const first = data.offsets[view.query]!;
        let sum = 0;
        for (const document of clicks(view)) {
          sum += weights[first + document]! * (yield* costSteps(run, clicked.show(view, document)));
          yield document / view.n;
        }
        return sum;
      }
      return {
        beginIteration: iteration => run.beginIteration?.(iteration),
        lambdas: (view, out) => atOnce(steps(view, out)),
        ...((run.lambdaSteps || longestQuery(data) ** 2 > LOOKS_A_STEP) && { lambdaSteps: steps }),
        ...(run.cost && { cost: (view: QueryView) => atOnce(sumSteps(view)), costSteps: sumSteps }),
      };
    },
  };
}

/** Label over propensity, by row. */
function clickWeights(
  data: Dataset,
  source: string,
  propensity: (position: number) => number | undefined,
): Float64Array {
  const { at, groups } = shownPositions(data);
  const chances = at.map(position => {
    const chance = propensity(position);
    if (chance !== undefined) return chance;
    throw new ListwiseError(
      'value-invalid',
      `debias: the data has documents at position ${position}, for which no propensity is given; give one for every position`,
    );
  });
  return data.label(source).map((label, row) => (label > 0 ? label / chances[groups[row]!]! : 0));
}
