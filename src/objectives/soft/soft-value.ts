/** The soft value of a measure for one query, and its gradient by the scores. */
import { type DiscountTerms, SoftRanks } from '../../kernels/soft-ranks.js';
import type { SoftForm } from '../../measures/forms/smooth-forms.js';
import type { QueryView } from '../../measures/measure.js';
import { largest } from '../../numeric/vectors.js';
import { partOf, type Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';
import { type DiscountForms, discountSteps, discountTerms, TOLERANCE } from './discount-terms.js';
import { RankDistributions } from './rank-distributions.js';

/** Rank probabilities that the kernel keeps (32 MB), at most; beyond, they are got in parts by the plain recursion. */
const STORED = 1 << 22;

/** Pairs of documents between two steps, at least: steps are felt in short queries. */
const PAIRS_A_STEP = 1 << 12;

/**
 * Lambdas so small, as a share of those of a document whose discount changes by its whole in a deviation, are not got
 * as a difference of discounts that are off by the tolerance.
 */
const SMALL = 2e5 * TOLERANCE;

const NO_DISCOUNT = discountTerms(Float64Array.of(0)).terms;

export class SoftValue {
  readonly #form: SoftForm;
  readonly #kernel: SoftRanks;
  readonly #plain: RankDistributions;
  readonly #scratch = new Scratch();
  /** By the number of documents: what depends on the discounts alone. */
  readonly #terms = new Map<number, DiscountForms & { discount: Float64Array }>();
  readonly #sigma: number;

  constructor(form: SoftForm, sigma: number) {
    this.#form = form;
    this.#sigma = sigma;
    this.#kernel = new SoftRanks(sigma);
    this.#plain = new RankDistributions(sigma);
  }

  /** NaN where the measure is undefined; derivatives are added to `gradient`. */
  *steps(view: QueryView, gradient?: Float64Array): Steps<number> {
    return this.#form.form === 'positional'
      ? yield* this.#positional(this.#form, view, gradient)
      : yield* this.#precision(this.#form, view, gradient);
  }

  /** norm sum over j of gain_j sum over r of discount_r p_j(r). */
  *#positional(
    form: SoftForm & { form: 'positional' },
    view: QueryView,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const { n, scores } = view;
    const gain = this.#scratch.array(0, n);
    const discount = this.#scratch.array(1, n);
    const norm = form.fill(view, { gain, upper: discount });
    if (Number.isNaN(norm)) return Number.NaN;
    const { terms, byHead } = yield* this.#termsOf(discount.subarray(0, n));
    if (isKept(terms, n)) {
      const value = yield* this.#byKernel(view, terms, gain, norm);
      // Where all lambdas are small, little is left of a difference: by the first ranks there is none.
      const isOff =
        byHead !== undefined && this.#largest(n) < (SMALL * norm * largest(gain.subarray(0, n))) / this.#sigma;
      if (!isOff || !isKept(byHead, n)) {
        this.#take(view, gradient);
        return value;
      }
      const again = yield* this.#byKernel(view, byHead, gain, norm);
      this.#take(view, gradient);
      return again;
    }
    const depth = terms.constant === 0 ? terms.head.length : n;
    let value = 0;
    for (let j = 0; j < n; j++) {
      if (gain[j] === 0) continue;
      const steps = this.#plain.discountSteps(j, scores, n, discount, depth, norm * gain[j]!, gradient);
      value += yield* partOf(steps, j / n, (j + 1) / n);
    }
    return value;
  }

  *#byKernel(view: QueryView, terms: DiscountTerms, gain: Float64Array, norm: number): Steps<number> {
    const { n, order } = view;
    this.#show(view, terms);
    const every = Math.ceil(PAIRS_A_STEP / n);
    let value = 0;
    let taken = 0;
    // What hardly counts beside the documents before is left out, so those that count most come early.
    const fromBelow = terms.foot.length > 0;
    for (let i = 0; i < n; i++) {
      const r = fromBelow ? n - 1 - i : i;
      const own = gain[order[r]!]!;
      if (own === 0) continue;
      value += this.#kernel.expectedDiscount(r, n, norm * own);
      if (++taken % every === 0) yield (i + 1) / n;
    }
    return value;
  }

  #largest(n: number): number {
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(this.#kernel.arrays.gradient[i]!));
    return largest;
  }

  /** norm sum over relevant j of (1 + sum over i of rel_i pi_ij) / (1 + sum over i of pi_ij). */
  *#precision(
    form: SoftForm & { form: 'precision' },
    view: QueryView,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const { n, order } = view;
    const relevant = this.#scratch.array(0, n);
    const norm = form.fill(view, relevant);
    if (Number.isNaN(norm)) return Number.NaN;
    this.#show(view, NO_DISCOUNT);
    for (let r = 0; r < n; r++) this.#kernel.arrays.relevant[r] = relevant[order[r]!]!;
    const every = Math.ceil(PAIRS_A_STEP / n);
    let value = 0;
    let taken = 0;
    for (let r = 0; r < n; r++) {
      if (this.#kernel.arrays.relevant[r] === 0) continue;
      value += this.#kernel.expectedPrecision(r, n, norm);
      if (++taken % every === 0) yield (r + 1) / n;
    }
    this.#take(view, gradient);
    return value;
  }

  *#termsOf(discount: Float64Array): Steps<DiscountForms> {
    const known = this.#terms.get(discount.length);
    if (known?.discount.every((value, r) => value === discount[r])) return known;
    const forms = yield* discountSteps(discount);
    this.#terms.set(discount.length, { ...forms, discount: discount.slice() });
    return forms;
  }

  /** By rank: the odds of rivals that are side by side are much alike, which the kernel makes use of. */
  #show({ n, scores, order }: QueryView, terms: DiscountTerms): void {
    this.#kernel.reserve(n, terms);
    const { arrays } = this.#kernel;
    for (let r = 0; r < n; r++) arrays.scores[r] = scores[order[r]!]!;
    arrays.gradient.fill(0, 0, n);
  }

  #take({ n, order }: QueryView, gradient: Float64Array | undefined): void {
    if (gradient === undefined) return;
    for (let r = 0; r < n; r++) gradient[order[r]!]! += this.#kernel.arrays.gradient[r]!;
  }
}

function isKept({ head, foot }: DiscountTerms, n: number): boolean {
  return Math.max(head.length, foot.length) * n <= STORED;
}
