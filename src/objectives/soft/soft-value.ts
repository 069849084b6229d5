/** The soft value of a measure for one query, and its gradient by the scores. */

import type { SoftForm } from '../../measures/forms/smooth-forms.js';
import type { QueryView } from '../../measures/measure.js';
import type { Steps } from '../../steps.js';
import { Scratch } from '../scratch.js';
import { RankDistributions } from './rank-distributions.js';

export class SoftValue {
  readonly #form: SoftForm;
  readonly #ranks: RankDistributions;
  readonly #scratch = new Scratch();

  constructor(form: SoftForm, sigma: number) {
    this.#form = form;
    this.#ranks = new RankDistributions(sigma);
  }

  /** NaN where the measure is undefined; derivatives are added to `gradient`. A step a document. */
  *steps(view: QueryView, gradient?: Float64Array): Steps<number> {
    const gain = this.#scratch.array(0, view.n);
    return this.#form.form === 'positional'
      ? yield* this.#positional(this.#form, view, gain, gradient)
      : yield* this.#precision(this.#form, view, gain, gradient);
  }

  /** norm sum over j of gain_j sum over r of worth_r p_j(r). */
  *#positional(
    form: SoftForm & { form: 'positional' },
    view: QueryView,
    gain: Float64Array,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const { n, scores } = view;
    const discount = this.#scratch.array(1, n);
    const norm = form.fill(view, { gain, upper: discount });
    if (Number.isNaN(norm)) return Number.NaN;
    let depth = n;
    while (depth > 0 && discount[depth - 1] === 0) depth--;
    let value = 0;
    for (let j = 0; j < n; j++) {
      if (gain[j] === 0) continue;
      value += this.#ranks.expectedDiscount(j, scores, n, discount, depth, norm * gain[j]!, gradient);
      yield (j + 1) / n;
    }
    return value;
  }

  /** norm sum over relevant j of (1 + sum over i of rel_i pi_ij) / (1 + sum over i of pi_ij). */
  *#precision(
    form: SoftForm & { form: 'precision' },
    view: QueryView,
    relevant: Float64Array,
    gradient: Float64Array | undefined,
  ): Steps<number> {
    const { n, scores } = view;
    const norm = form.fill(view, relevant);
    if (Number.isNaN(norm)) return Number.NaN;
    let value = 0;
    for (let j = 0; j < n; j++) {
      if (relevant[j] === 0) continue;
      let hits = 1;
      let position = 1;
      for (let i = 0; i < n; i++) {
        if (i === j) continue;
        const win = this.#ranks.win(scores[i]! - scores[j]!);
        position += win;
        hits += relevant[i]! * win;
      }
      value += (norm * hits) / position;
      yield (j + 1) / n;
      if (gradient === undefined) continue;
      for (let i = 0; i < n; i++) {
        if (i === j) continue;
        const byWin = (norm * (relevant[i]! - hits / position)) / position;
        const lambda = byWin * this.#ranks.winSlope(scores[i]! - scores[j]!);
        gradient[i]! += lambda;
        gradient[j]! -= lambda;
      }
    }
    return value;
  }
}
