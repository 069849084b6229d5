/** The soft value of a measure for one query, and its gradient by the scores. */
import { type DiscountTerms, SoftRanks } from '../../kernels/soft-ranks.js';
import type { SoftForm } from '../../measures/forms/smooth-forms.js';
import type { QueryView } from '../../measures/measure.js';
import { partOf, type Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';
import { discountSteps, discountTerms } from './discount-terms.js';
import { RankDistributions } from './rank-distributions.js';

/** Rank probabilities that the kernel keeps (32 MB), at most; beyond, they are got in parts by the plain recursion. */
const STORED = 1 << 22;

/** Pairs of documents between two steps, at least: steps are felt in short queries. */
const PAIRS_A_STEP = 1 << 12;

const NO_DISCOUNT = discountTerms(Float64Array.of(0));

export class SoftValue {
  readonly #form: SoftForm;
  readonly #kernel: SoftRanks;
  readonly #plain: RankDistributions;
  readonly #scratch = new Scratch();
  /** By the number of documents: what depends on the discounts alone. */
  readonly #terms = new Map<number, { discount: Float64Array; terms: DiscountTerms }>();

  constructor(form: SoftForm, sigma: number) {
    this.#form = form;
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
    const terms = yield* this.#termsOf(discount.subarray(0, n));
    const kept = terms.head.length * n <= STORED;
    const depth = terms.constant === 0 ? terms.head.length : n;
    if (kept) this.#show(view, terms);
    const every = Math.ceil(PAIRS_A_STEP / n);
    let value = 0;
    let taken = 0;
    for (let j = 0; j < n; j++) {
      if (gain[j] === 0) continue;
      const scale = norm * gain[j]!;
      value += kept
        ? this.#kernel.expectedDiscount(j, n, scale)
        : yield* partOf(this.#plain.discountSteps(j, scores, n, discount, depth, scale, gradient), j / n, (j + 1) / n);
      if (++taken % every === 0) yield (j + 1) / n;
    }
    if (kept) this.#take(n, gradient);
    return value;
  }

  /** norm sum over relevant j of (1 + sum over i of rel_i pi_ij) / (1 + sum over i of pi_ij). */
  *#precision(
    form: SoftForm & { form: 'precision' },
    view: QueryView,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const { n } = view;
    const relevant = this.#scratch.array(0, n);
    const norm = form.fill(view, relevant);
    if (Number.isNaN(norm)) return Number.NaN;
    this.#show(view, NO_DISCOUNT);
    for (let i = 0; i < n; i++) this.#kernel.arrays.relevant[i] = relevant[i]!;
    const every = Math.ceil(PAIRS_A_STEP / n);
    let value = 0;
    let taken = 0;
    for (let j = 0; j < n; j++) {
      if (relevant[j] === 0) continue;
      value += this.#kernel.expectedPrecision(j, n, norm);
      if (++taken % every === 0) yield (j + 1) / n;
    }
    this.#take(n, gradient);
    return value;
  }

  *#termsOf(discount: Float64Array): Steps<DiscountTerms> {
    const known = this.#terms.get(discount.length);
    if (known?.discount.every((value, r) => value === discount[r])) return known.terms;
    const terms = yield* discountSteps(discount);
    this.#terms.set(discount.length, { discount: discount.slice(), terms });
    return terms;
  }

  #show({ n, scores }: QueryView, terms: DiscountTerms): void {
    this.#kernel.reserve(n, terms);
    const { arrays } = this.#kernel;
    for (let i = 0; i < n; i++) arrays.scores[i] = scores[i]!;
    arrays.gradient.fill(0, 0, n);
  }

  #take(n: number, gradient: Float64Array | undefined): void {
    if (gradient === undefined) return;
    for (let i = 0; i < n; i++) gradient[i]! += this.#kernel.arrays.gradient[i]!;
  }
}
