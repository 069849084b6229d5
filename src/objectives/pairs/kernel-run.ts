/** Lambdas of a pair plan by the kernel: the plan and the measure's swap form decide whether it can, never a name. */
import { PairKernel, type PairLambdasOptions } from '../../kernels/pair-lambdas.js';
import { rowsAStep } from '../../kernels/pair-rows.js';
import { needsJudged } from '../../measures/forms/swap.js';
import type { QueryView, SwapForm } from '../../measures/measure.js';
import { atOnce, type Steps } from '../../steps.js';
import type { Lambdas, ObjectiveRun } from '../objective.js';
import type { PairPlan } from './pair-plan.js';

type TableForm = Extract<SwapForm, { form: 'separable' | 'tables' }>;

/**
 * A run of the plan by the kernel, or undefined where the plan has a part that the kernel has no form of. `longest` is
 * the number of documents of the longest query: lambdas come in steps where that takes several.
 */
export function kernelRun(plan: PairPlan, longest = 0): ObjectiveRun | undefined {
  const swap = plan.weight === 'unit' ? undefined : plan.weight.swap;
  if (plan.factor.kernel === undefined || plan.reach !== 'all' || plan.misrankedOnly || swap?.form === 'function')
    return undefined;
  // Documents of pairs have a label of the plan's source: of the measure's, too, only where that is the same.
  if (plan.weight !== 'unit' && plan.weight.labels !== plan.labels && needsJudged(plan.weight.swap)) return undefined;
  const run = new KernelRun(plan, swap);
  return {
    lambdas: (view, out) => run.lambdas(view, out),
    ...(rowsAStep(longest) < longest && { lambdaSteps: (view: QueryView, out: Lambdas) => run.steps(view, out) }),
  };
}

class KernelRun {
  readonly #plan: PairPlan;
  readonly #swap: TableForm | undefined;
  readonly #kernel = new PairKernel();
  readonly #shown = new KernelView();
  /** Set for each query; one object, since a new one for each would be felt. */
  readonly #options: PairLambdasOptions;

  constructor(plan: PairPlan, swap: TableForm | undefined) {
    const { kind, shift, near = 0 } = plan.factor.kernel!;
    this.#plan = plan;
    this.#swap = swap;
    this.#options = {
      depth: 0,
      top: plan.top,
      norm: 0,
      separable: swap === undefined || swap.form === 'separable',
      // Without a measure every pair weighs 1: no change, and a floor of 1.
      floor: swap === undefined ? 1 : plan.floor,
      tiered: plan.within.length > 0,
      withoutZeros: plan.withoutZeros,
      bell: kind === 'bell',
      shift,
      near,
    };
  }

  lambdas(view: QueryView, out: Lambdas): number {
    return rowsAStep(view.n) < view.n ? atOnce(this.steps(view, out)) : this.#rows(view, out, 0, view.n);
  }

  *steps(view: QueryView, out: Lambdas): Steps<number> {
    const { n } = view;
    const rows = rowsAStep(n);
    let pairs = 0;
    for (let from = 0; from < n; from += rows) {
      if (from > 0) yield from / n;
      pairs += this.#rows(view, out, from, Math.min(n, from + rows));
    }
    return pairs;
  }

  /** The pairs of some rows; lambdas are there after the last. */
  #rows(view: QueryView, out: Lambdas, from: number, to: number): number {
    const { n } = view;
    if (from === 0) this.#show(view);
    if (this.#options.depth === 0) {
      out.lambda.fill(0, 0, n);
      out.hessian.fill(0, 0, n);
      return 0;
    }
    const pairs = this.#kernel.lambdas(n, this.#options, from, to);
    if (to < n) return pairs;
    const { arrays } = this.#kernel;
    copy(arrays.lambda, out.lambda, n);
    copy(arrays.hessian, out.hessian, n);
    return pairs;
  }

  /** Puts a query before the kernel. */
  #show(view: QueryView): void {
    const { n } = view;
    const kernel = this.#kernel;
    kernel.reserve(n);
    const { arrays } = kernel;
    copy(view.scores, arrays.scores, n);
    copy(view.labels(this.#plan.labels), arrays.labels, n);
    kernel.rank(n);
    if (this.#options.tiered) numberTiers(view, this.#plan.within, kernel.tiers);
    this.#fillWeights(this.#shown.show(view, kernel.order));
  }

  /** Gains and rank tables of the measure's swap change, put before the kernel. */
  #fillWeights(view: QueryView): void {
    const { n } = view;
    const options = this.#options;
    const tables = this.#kernel.arrays;
    if (this.#swap === undefined) {
      tables.gain.fill(0, 0, n);
      tables.upper.fill(0, 0, n);
      options.depth = n;
      return;
    }
    options.norm = this.#swap.fill(view, tables);
    options.depth = Number.isNaN(options.norm) ? 0 : n;
    if (options.floor > 0) return;
    // A document whose rank is worth nothing, above others of which the same holds, is in no pair with a weight.
    const { upper, slope } = tables;
    const worthless = (r: number) => upper[r] === 0 && (options.separable || slope[r] === 0);
    while (options.depth > 0 && worthless(options.depth - 1)) options.depth--;
  }
}

/** A loop beats `set`, which needs a view of the first n. */
function copy(from: Float64Array, to: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) to[i] = from[i]!;
}

/** Gives documents that agree on all sources the same number; one that lacks a label of them is tied with nobody. */
function numberTiers(view: QueryView, within: readonly string[], tiers: Float32Array): void {
  const sources = within.map(source => view.labels(source));
  const numbers = new Map<string, number>();
  for (let i = 0; i < view.n; i++) {
    const labels = sources.map(source => source[i]!);
    const key = labels.join(' ');
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    tiers[i] = labels.some(Number.isNaN) ? Number.NaN : number;
  }
}

/**
 * The view that swap forms are filled from: the kernel's order, everything else as it is. Moved from query to query.
 */
class KernelView implements QueryView {
  #view: QueryView | undefined;
  query = -1;
  number = -1;
  n = 0;
  scores: Float64Array = new Float64Array(0);
  order: Uint32Array = new Uint32Array(0);
  /** Labels by rank, and the move they are of. */
  readonly #ranked = new Map<string, { labels: Float64Array; move: number }>();
  #move = 0;

  show(view: QueryView, order: Uint32Array): this {
    this.#view = view;
    this.query = view.query;
    this.number = view.number;
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
