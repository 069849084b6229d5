/** Forces of a pair plan by the kernel: the plan and the measure's swap form decide whether it can, never a name. */
import { PairKernel } from '../../kernels/pair-forces.js';
import type { QueryView, SwapForm, SwapTables } from '../../measures/measure.js';
import { swapTables } from '../../measures/swap.js';
import type { Forces, ObjectiveRun } from '../objective.js';
import type { PairPlan } from './pair-plan.js';

type TableForm = Extract<SwapForm, { form: 'separable' | 'tables' }>;

/** A run of the plan by the kernel, or undefined where the plan has a part that the kernel has no form of. */
export function kernelRun(plan: PairPlan): ObjectiveRun | undefined {
  const swap = plan.weight === 'unit' ? undefined : plan.weight.swap;
  if (plan.factor.kernel === undefined || plan.reach !== 'all' || plan.misrankedOnly || swap?.form === 'function')
    return undefined;
  const run = new KernelRun(plan, swap);
  return { forces: (view, out) => run.forces(view, out) };
}

class KernelRun {
  readonly #plan: PairPlan;
  readonly #swap: TableForm | undefined;
  readonly #kernel = new PairKernel();
  #tables: SwapTables = swapTables(0);

  constructor(plan: PairPlan, swap: TableForm | undefined) {
    this.#plan = plan;
    this.#swap = swap;
  }

  forces(view: QueryView, out: Forces): number {
    const { n } = view;
    const kernel = this.#kernel;
    kernel.reserve(n);
    const { arrays } = kernel;
    for (let i = 0; i < n; i++) arrays.score[i] = view.scores[i]!;
    kernel.rank(n);
    this.#fillPairs(view);
    const weight = this.#fillWeights(new KernelView(view, kernel.order));
    let pairs = 0;
    if (weight.depth > 0) {
      const { kind, shift } = this.#plan.factor.kernel!;
      pairs = kernel.forces(n, { ...weight, bell: kind === 'bell', shift });
    }
    const { lambda, curvature } = arrays;
    for (let i = 0; i < n; i++) {
      out.lambda[i] = pairs > 0 ? lambda[i]! : 0;
      out.curvature[i] = pairs > 0 ? curvature[i]! : 0;
    }
    return pairs;
  }

  /** Labels and tiers by document: a pair has different labels and the same tier; a document in no pair has tier NaN. */
  #fillPairs(view: QueryView): void {
    const { label, tier } = this.#kernel.arrays;
    const { labels, within, withoutZeros } = this.#plan;
    const own = view.labels(labels);
    for (let i = 0; i < view.n; i++) {
      label[i] = own[i]!;
      tier[i] = Number.isNaN(own[i]) || (withoutZeros && own[i] === 0) ? Number.NaN : 0;
    }
    if (within.length > 0)
      numberTiers(
        within.map(source => view.labels(source)),
        view.n,
        tier,
      );
  }

  /** Gains and rank tables of the measure's swap change. */
  #fillWeights(view: QueryView): { depth: number; norm: number; floor: number } {
    const { n } = view;
    const { gain, upper, slope, lower } = this.#kernel.arrays;
    const { floor } = this.#plan;
    if (this.#swap === undefined) {
      // Every pair weighs 1: no change, and a floor of 1.
      for (const table of [gain, upper, slope, lower]) table.fill(0, 0, n);
      return { depth: n, norm: 0, floor: 1 };
    }
    if (this.#tables.gain.length < n) this.#tables = swapTables(2 * n);
    const tables = this.#tables;
    const norm = this.#swap.fill(view, tables);
    if (Number.isNaN(norm)) return { depth: 0, norm: 0, floor };
    const isSeparable = this.#swap.form === 'separable';
    let depth = 0;
    for (let r = 0; r < n; r++) {
      gain[r] = tables.gain[r]!;
      upper[r] = tables.upper[r]!;
      slope[r] = isSeparable ? 1 : tables.slope[r]!;
      lower[r] = isSeparable ? tables.upper[r]! : tables.lower[r]!;
      // A document whose rank is worth nothing, above others of which the same holds, is in no pair with a weight.
      if (upper[r] !== 0 || (!isSeparable && slope[r] !== 0)) depth = r + 1;
    }
    return { depth: floor > 0 ? n : depth, norm, floor };
  }
}

/** Gives documents that agree on all sources the same number; those in no pair keep NaN. */
function numberTiers(sources: readonly Float64Array[], n: number, tier: Float32Array): void {
  const numbers = new Map<string, number>();
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(tier[i])) continue;
    const key = sources.map(source => source[i]).join(' ');
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    // A document that lacks one of the labels is tied with nobody.
    tier[i] = key.includes('NaN') ? Number.NaN : number;
  }
}

/** The view that swap forms are filled from: the kernel's order, everything else as it is. */
class KernelView implements QueryView {
  readonly #view: QueryView;
  readonly query: number;
  readonly n: number;
  readonly scores: Float64Array;
  readonly order: Uint32Array;
  readonly #ranked = new Map<string, Float64Array>();

  constructor(view: QueryView, order: Uint32Array) {
    this.#view = view;
    this.query = view.query;
    this.n = view.n;
    this.scores = view.scores;
    this.order = order;
  }

  labels(source: string): Float64Array {
    return this.#view.labels(source);
  }

  ranked(source: string): Float64Array {
    let ranked = this.#ranked.get(source);
    if (ranked === undefined) {
      const labels = this.labels(source);
      ranked = new Float64Array(this.n);
      for (let r = 0; r < this.n; r++) ranked[r] = labels[this.order[r]!]!;
      this.#ranked.set(source, ranked);
    }
    return ranked;
  }

  ideal(source: string, over: 'list' | 'judged'): Float64Array {
    return this.#view.ideal(source, over);
  }
}
