/**
 * What Svore et al. 2011 draw of each iteration: whether the parts of a combined objective pull the same way, which
 * labels the lambdas go to and come from, which labels are found in the top 3, and how many documents change rank.
 */
import type { Dataset } from '../../data/dataset.js';
import { DatasetView } from '../../measures/query-view.js';
import { addends } from '../../objectives/form.js';
import { lambdaAgreement } from '../../objectives/lambda-agreement.js';
import { inUpperHalf, type LambdaSource, lambdaSources } from '../../objectives/lambda-sources.js';
import type { LearnedMemories } from '../../objectives/learning.js';
import type { Lambdas, Objective } from '../../objectives/objective.js';
import type { IterationDiagnostics } from '../iteration-record.js';

const TOP = 3;

export class Diagnostics {
  readonly #data: Dataset;
  readonly #parts: readonly Objective[];
  readonly #runs: readonly ReturnType<Objective['start']>[];
  readonly #view: DatasetView;
  readonly #lambdas: readonly Lambdas[];
  readonly #before: Uint32Array;

  constructor(data: Dataset, objective: Objective, learned: LearnedMemories = {}) {
    // Only looked at: what training finds is not to depend on whether somebody watches.
    const read = Object.fromEntries(Object.entries(learned).map(([key, { values }]) => [key, { values }]));
    this.#data = data;
    this.#parts = addends(objective);
    this.#runs = this.#parts.map(part => part.start(data, 'kernel', read));
    this.#view = new DatasetView(data, 'input', { remember: true });
    const longest = this.#view.scores.length;
    this.#lambdas = this.#parts.map(() => ({ lambda: new Float64Array(longest), hessian: new Float64Array(longest) }));
    this.#before = new Uint32Array(longest);
  }

  /** Of one iteration, from the scores before and after its tree, which was grown from the lambdas before. */
  of(iteration: number, before: ArrayLike<number>, after: ArrayLike<number>): IterationDiagnostics {
    for (const run of this.#runs) run.beginIteration?.(iteration);
    const labels = this.#data.label(this.#parts[0]!.labels[0]);
    const magnitude = new Map<number, number[]>();
    const topLabels = new Map<number, number>();
    let agreement = 0;
    let counted = 0;
    let moved = 0;
    let movedInTop = 0;
    let inTop = 0;
    for (let q = 0; q < this.#data.queries; q++) {
      const start = this.#data.offsets[q]!;
      const view = this.#view.moveTo(q, before);
      const { n } = view;
      this.#runs.forEach((run, p) => {
        run.lambdas(view, this.#lambdas[p]!);
      });
      if (this.#parts.length > 1 && n > 0) {
        agreement += lambdaAgreement(this.#lambdas[0]!.lambda, this.#lambdas[1]!.lambda, n);
        counted++;
      }
      for (let i = 0; i < n; i++) {
        const label = labels[start + i]!;
        if (Number.isNaN(label)) continue;
        let sums = magnitude.get(label);
        if (sums === undefined) magnitude.set(label, (sums = this.#parts.map(() => 0)));
        for (let p = 0; p < sums.length; p++) sums[p]! += Math.abs(this.#lambdas[p]!.lambda[i]!);
      }
      this.#before.set(view.order.subarray(0, n));
      const { order } = view.moveTo(q, after);
      for (let r = 0; r < n; r++) {
        const changed = order[r] !== this.#before[r];
        if (changed) moved++;
        if (r >= TOP) continue;
        inTop++;
        if (changed) movedInTop++;
        const label = labels[start + order[r]!]!;
        topLabels.set(label, (topLabels.get(label) ?? 0) + 1);
      }
    }
    return {
      agreement: counted === 0 ? Number.NaN : agreement / counted,
      lambdaByLabel: byLabel(magnitude).map(([label, sums]) => ({ label, parts: sums })),
      lambdaSources: this.#sources(before),
      topLabels: byLabel(topLabels).map(([label, documents]) => ({ label, documents })),
      rankChanges: { top: movedInTop / Math.max(1, inTop), all: moved / Math.max(1, this.#data.rows) },
    };
  }

  /** Of the first part that is made of pairs. */
  #sources(scores: ArrayLike<number>): LambdaSource[] {
    const pairs = this.#parts.flatMap(({ form }) => (form?.kind === 'pairs' ? [form.plan] : []));
    return pairs
      .slice(0, 1)
      .flatMap(plan => lambdaSources(plan, this.#data, scores, inUpperHalf(this.#data.label(plan.labels))));
  }
}

/** By ascending label, what has none last. */
function byLabel<T>(values: ReadonlyMap<number, T>): [number, T][] {
  const place = (label: number) => (Number.isNaN(label) ? Infinity : label);
  return [...values].sort(([a], [b]) => place(a) - place(b));
}
