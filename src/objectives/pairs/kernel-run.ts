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
  readonly #shown = new KernelView();
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
    copy(view.scores, arrays.score, n);
    kernel.rank(n);
    this.#fillPairs(view);
    const weight = this.#fillWeights(this.#shown.show(view, kernel.order));
    let pairs = 0;
    if (weight.depth > 0) {
      const { kind, shift } = this.#plan.factor.kernel!;
      pairs = kernel.forces(n, { ...weight, bell: kind === 'bell', shift });
    }
    if (pairs > 0) {
      copy(arrays.lambda, out.lambda, n);
      copy(arrays.curvature, out.curvature, n);
    } else {
      out.lambda.fill(0, 0, n);
      out.curvature.fill(0, 0, n);
    }
    return pairs;
  }

  /** Labels and tiers by document: a pair has different labels and the same tier; a document in no pair has tier NaN. */
  #fillPairs(view: QueryView): void {
    const { label, tier } = this.#kernel.arrays;
    const { labels, within, withoutZeros } = this.#plan;
    const own = view.labels(labels);
    const { n } = view;
    for (let i = 0; i < n; i++) {
      const value = own[i]!;
      label[i] = value;
      tier[i] = Number.isNaN(value) || (withoutZeros && value === 0) ? Number.NaN : 0;
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
    copy(tables.gain, gain, n);
    copy(tables.upper, upper, n);
    copy(isSeparable ? tables.upper : tables.lower, lower, n);
    if (isSeparable) slope.fill(1, 0, n);
    else copy(tables.slope, slope, n);
    // A document whose rank is worth nothing, above others of which the same holds, is in no pair with a weight.
    let depth = n;
    while (depth > 0 && tables.upper[depth - 1] === 0 && (isSeparable || tables.slope[depth - 1] === 0)) depth--;
    return { depth: floor > 0 ? n : depth, norm, floor };
  }
}

/** A loop of its own, so that it is compiled well; between types of numbers it beats `set`. */
function copy(from: Float64Array | Float32Array, to: Float64Array | Float32Array, n: number): void {
  for (let i = 0; i < n; i++) to[i] = from[i]!;
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

/** The view that swap forms are filled from: the kernel's order, everything else as it is. Moved from query to query. */
class KernelView implements QueryView {
  #view: QueryView | undefined;
  query = -1;
  n = 0;
  scores: Float64Array = new Float64Array(0);
  order: Uint32Array = new Uint32Array(0);
  /** Labels by rank, and the move they are of. */
  readonly #ranked = new Map<string, { labels: Float64Array; move: number }>();
  #move = 0;

  show(view: QueryView, order: Uint32Array): this {
    this.#view = view;
    this.query = view.query;
    this.n = view.n;
    this.scores = view.scores;
    this.order = order;
    this.#move++;
    return this;
  }

  labels(source: string): Float64Array {
    return this.#view!.labels(source);
  }

  ranked(source: string): Float64Array {
    let ranked = this.#ranked.get(source);
    if (ranked === undefined || ranked.labels.length < this.n) {
      ranked = { labels: new Float64Array(2 * this.n), move: -1 };
      this.#ranked.set(source, ranked);
    }
    if (ranked.move !== this.#move) {
      const own = this.labels(source);
      const { labels } = ranked;
      for (let r = 0; r < this.n; r++) labels[r] = own[this.order[r]!]!;
      ranked.move = this.#move;
    }
    return ranked.labels;
  }

  ideal(source: string, over: 'list' | 'judged'): Float64Array {
    return this.#view!.ideal(source, over);
  }
}
