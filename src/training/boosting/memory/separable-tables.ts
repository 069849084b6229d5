/** Fills the static tables of the separable lambda kernel, where the objective's pairs have that form. */
import type { Dataset } from '../../../data/dataset.js';
import { swapTables } from '../../../measures/forms/swap.js';
import { DatasetView } from '../../../measures/query-view.js';
import type { Objective } from '../../../objectives/objective.js';
import type { PairPlan } from '../../../objectives/pairs/pair-plan.js';
import type { RunMemory } from './run-memory.js';

/** As much as the kernel can count. */
const MOST_RANKS = 2 ** 31 - 1;

/** What the kernel computes, as threads are given it. */
export interface SeparableLambdas {
  readonly weight: 'unit' | 'change';
  /** Whether lambdas are divided by their deviation in the query. */
  readonly scaled: boolean;
  /** Each pair is divided by this and how far apart its scores are; 0: none is. */
  readonly near: number;
  /** Only pairs of which a document is at one of so many first ranks, all where there are no more. */
  readonly top: number;
}

/** The pairs of an objective whose lambdas the kernel can compute; plans say so by their form, never by a name. */
export function separableLambdas(objective: Objective): { pairs: PairPlan; lambdas: SeparableLambdas } | undefined {
  const scaled = objective.form?.kind === 'scaled';
  const { form } = objective.form?.kind === 'scaled' ? objective.form.part : objective;
  if (form?.kind !== 'pairs') return undefined;
  const pairs = form.plan;
  if (pairs.weight !== 'unit' && pairs.weight.swap.form !== 'separable') return undefined;
  const { kernel } = pairs.factor;
  const isPlain =
    kernel?.kind === 'logistic' &&
    kernel.shift === 0 &&
    pairs.within.length === 0 &&
    !pairs.withoutZeros &&
    pairs.floor === 0 &&
    pairs.reach === 'all' &&
    !pairs.misrankedOnly;
  if (!isPlain) return undefined;
  if (pairs.weight === 'unit' && pairs.top < Infinity) return undefined;
  const weight = pairs.weight === 'unit' ? 'unit' : 'change';
  return { pairs, lambdas: { weight, scaled, near: kernel.near ?? 0, top: Math.min(pairs.top, MOST_RANKS) } };
}

export function fillSeparableTables(plan: PairPlan, data: Dataset, { arrays, layout }: RunMemory): void {
  const { judged, depths, norms, weights, places, gains, ends, discounts, orders } = arrays;
  arrays.offsets.set(data.offsets);
  const view = new DatasetView(data);
  const zeros = new Float64Array(data.rows);
  const tables = swapTables(layout.longest);
  const { weight, labels } = plan;
  const swap = weight === 'unit' ? undefined : weight.swap;
  if (swap !== undefined && swap.form !== 'separable') throw new Error('not a separable plan');
  for (let q = 0; q < data.queries; q++) {
    const start = data.offsets[q]!;
    view.moveTo(q, zeros);
    const { n } = view;
    // Neither gains nor discounts of a separable form depend on the scores.
    norms[q] = swap === undefined ? 1 : swap.fill(view, tables);
    weights[q] = data.queryWeights?.[q] ?? 1;
    depths[q] = depthOf(tables.upper, n);
    const own = view.labels(labels);
    const order = Array.from({ length: n }, (_, i) => i).filter(i => !Number.isNaN(own[i]));
    order.sort((a, b) => own[b]! - own[a]! || a - b);
    judged[q] = order.length;
    for (let r = 0; r < n; r++) {
      discounts[start + r] = tables.upper[r]!;
      orders[start + r] = r;
    }
    for (let p = order.length - 1; p >= 0; p--) {
      const document = order[p]!;
      places[start + p] = document;
      gains[start + p] = tables.gain[document]!;
      const next = order[p + 1];
      ends[start + p] = next === undefined ? order.length : own[next] === own[document] ? ends[start + p + 1]! : p + 1;
    }
  }
}

/** Ranks up to the last that is worth something. */
function depthOf(discount: Float64Array, n: number): number {
  let depth = n;
  while (depth > 0 && discount[depth - 1] === 0) depth--;
  return depth;
}
