/** Fills the static tables of the separable force kernel, where the objective's pairs have that form. */
import type { Dataset } from '../../data/dataset.js';
import { DatasetView } from '../../measures/query-view.js';
import { swapTables } from '../../measures/swap.js';
import type { Objective } from '../../objectives/objective.js';
import type { PairPlan } from '../../objectives/pairs/pair-plan.js';
import type { Layout } from './layout.js';

/** Whether the kernel can compute this objective's forces; a plan says so by its form, never by its name. */
export function separablePlan(objective: Objective): PairPlan | undefined {
  const plan = objective.pairs;
  if (plan === undefined || plan.weight === 'unit' || plan.weight.swap.form !== 'separable') return undefined;
  const { factor } = plan;
  const isPlain =
    factor.kernel?.kind === 'logistic' &&
    factor.kernel.shift === 0 &&
    plan.within.length === 0 &&
    !plan.withoutZeros &&
    plan.floor === 0 &&
    plan.reach === 'all' &&
    !plan.misrankedOnly;
  return isPlain ? plan : undefined;
}

export function fillSeparableTables(plan: PairPlan, data: Dataset, memory: WebAssembly.Memory, layout: Layout): void {
  const { at, rows, queries } = layout;
  const ints = (address: number, length: number) => new Int32Array(memory.buffer, address, length);
  const floats = (address: number, length: number) => new Float32Array(memory.buffer, address, length);
  const judged = ints(at.judged, queries);
  const norms = floats(at.norms, queries);
  const places = ints(at.places, rows);
  const gains = floats(at.gains, rows);
  const ends = ints(at.ends, rows);
  const worths = floats(at.worths, rows);
  ints(at.offsets, queries + 1).set(data.offsets);
  const view = new DatasetView(data);
  const zeros = new Float64Array(data.rows);
  const tables = swapTables(layout.longest);
  const { weight, labels } = plan;
  if (weight === 'unit' || weight.swap.form !== 'separable') throw new Error('not a separable plan');
  for (let q = 0; q < queries; q++) {
    const start = data.offsets[q]!;
    view.moveTo(q, zeros);
    const { n } = view;
    // Neither gains nor worths of a separable form depend on the scores.
    const norm = weight.swap.fill(view, tables);
    const own = view.labels(labels);
    const order = Array.from({ length: n }, (_, i) => i).filter(i => !Number.isNaN(own[i]));
    order.sort((a, b) => own[b]! - own[a]! || a - b);
    judged[q] = order.length;
    norms[q] = norm * (data.queryWeights?.[q] ?? 1);
    for (let r = 0; r < n; r++) worths[start + r] = tables.upper[r]!;
    for (let p = order.length - 1; p >= 0; p--) {
      const document = order[p]!;
      places[start + p] = document;
      gains[start + p] = tables.gain[document]!;
      const next = order[p + 1];
      ends[start + p] = next === undefined ? order.length : own[next] === own[document] ? ends[start + p + 1]! : p + 1;
    }
  }
}
