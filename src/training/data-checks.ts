/** What there is to say of data before anything is trained: doubts, and selecting data that cannot select. */
import type { Dataset } from '../data/dataset.js';
import { categoriesAsNumbers, type Doubt, doubtfulFeatures, type Gather, sharedQueries } from '../data/doubts.js';
import { PRIMARY_LABEL } from '../data/primary-label.js';
import { shareOf } from '../data/share.js';
import { ListwiseError, plural, quote } from '../errors.js';
import type { Criterion } from '../measures/criterion.js';
import { valueSteps } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { DatasetView } from '../measures/query-view.js';
import { partsOf } from '../objectives/form.js';
import type { Objective } from '../objectives/objective.js';
import { gatherValues } from '../ranks/gathered.js';
import { alone, type Transport } from '../ranks/transport.js';
import { atOnce } from '../steps.js';
import type { Trainer } from './trainer.js';

export function doubtsOf(
  data: Dataset,
  validate: Dataset | undefined,
  objective: Objective | undefined,
  { splitsCategories = false }: Pick<Trainer, 'splitsCategories'>,
  ranks: Transport,
): Doubt[] {
  const reads = (some: Objective): boolean => some.readsPositions === true || partsOf(some).some(reads);
  const unread = data.positions !== undefined && !(objective !== undefined && reads(objective));
  const text = 'the data has positions, which are not used here: the model is the same without them';
  const gather: Gather = part => gatherValues(ranks, part);
  return [
    ...doubtfulFeatures(data, objective?.labels[0] ?? PRIMARY_LABEL, gather),
    ...(validate === undefined ? [] : sharedQueries('validation', validate, { name: 'training', data }, gather)),
    ...(unread ? [{ code: 'position-unused' as const, text }] : []),
    ...(splitsCategories ? [] : categoriesAsNumbers(data)),
  ];
}

/** `on` what the best iteration is selected. */
export function refuseBlindSelection(
  data: Dataset,
  criterion: Criterion,
  on: 'validation' | 'holdout',
  ranks: Transport,
): void {
  if (on === 'validation')
    refuseBlind(data, criterion, ['validation query', 'validation queries'], 'give others', ranks);
  else {
    const advice = 'hold out another share, or 0 to select on the training data';
    refuseBlind(data, criterion, ['query held out', 'queries held out'], advice, ranks);
  }
}

/** Throws where no order of any query is better than another, for any of the measures. */
export function refuseBlind(
  data: Dataset,
  { measures }: Criterion,
  [one, many]: [string, string],
  advice: string,
  ranks: Transport = alone,
): void {
  const reasons = measures.map(measure => blindness(data, measure, ranks));
  const [first] = reasons;
  if (first === undefined || reasons.includes(undefined)) return;
  throw new ListwiseError(
    'selection-blind',
    `${plural(shareOf(data).queries, one, many)} cannot tell models apart: ${first}; ${advice}`,
  );
}

/** Why a measure has the same value for every order of every query of all ranks; undefined where it has not. */
function blindness(data: Dataset, measure: Measure, ranks: Transport): string | undefined {
  const { spec, labels } = measure;
  const seen = lookedAt(data, measure);
  const most = Float64Array.of(Number(seen.told), Number(seen.differing), seen.longest);
  ranks.max(most);
  const [told, differing, longest] = most;
  if (told! > 0) return undefined;
  if (differing! > 0) return `${spec} is undefined for each of them, mostly for want of a relevant document`;
  if (longest! <= 1) return 'each of them has one document';
  return `in none of them do two documents have different labels (${quote(labels)})`;
}

/** Whether orders differ by the measure, or at least labels do, and the longest query looked at until that is known. */
function lookedAt(data: Dataset, measure: Measure): { told: boolean; differing: boolean; longest: number } {
  // One order will do: whether a measure is defined does not depend on it.
  const view = new DatasetView(data, 'input');
  const zeros = new Float64Array(data.rows);
  let differing = false;
  let longest = 0;
  for (let q = 0; q < data.queries; q++) {
    const { n } = view.moveTo(q, zeros);
    const sorted = view.ideal(measure.labels, 'list');
    longest = Math.max(longest, n);
    const judged = sorted.length;
    if (judged === 0 || (judged === n && sorted[0] === sorted[n - 1])) continue;
    differing = true;
    if (!Number.isNaN(atOnce(valueSteps(measure, view)))) return { told: true, differing, longest };
  }
  return { told: false, differing, longest };
}
