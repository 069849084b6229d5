/**
 * Presets: the conventions of another system, set together, so that "my NDCG differs" has one answer. A preset changes
 * the defaults of parameters, never a value that the user wrote.
 */
import type { Ties } from './query-view.js';

/**
 * Conventions that change the defaults of measures.
 *
 * @example
 * import { parseMeasures, presets } from 'listwise';
 * import type { Preset } from 'listwise/measures';
 *
 * const mine: Preset = { ...presets.trec_eval, title: 'Ours', parameters: { gain: 'linear', empty: 'skip' } };
 * const measures = parseMeasures('ndcg@10', { preset: mine });
 */
export interface Preset {
  readonly title: string;
  /** New defaults for the parameters of any measure that has them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** New defaults for one measure, by its name, where they differ from `parameters`. */
  readonly measures?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly ties: Ties;
  /** Cut-offs of measures that are named without one. */
  readonly cuts?: Readonly<Record<string, number>>;
}

/**
 * Conventions of other systems, to get the numbers that they print.
 *
 * @example
 * import { evaluate, parseMeasures, presets } from 'listwise';
 *
 * const measures = parseMeasures('ndcg@10,map', { preset: presets.trec_eval });
 * evaluate(data, scores, measures, { ties: presets.trec_eval.ties });
 */
export const presets = {
  listwise: {
    title:
      'The defaults: gain 2^label - 1, discount 1/log2(1 + rank), empty queries count 0, ties averaged over all orders.',
    parameters: {},
    ties: 'expected',
  },
  trec_eval: {
    title:
      'NIST trec_eval 10: linear gain, ideal over all judged, empty queries count 0, ties by document id, descending; RBP graded, with p = 0.9.',
    parameters: { gain: 'linear', ideal: 'judged', empty: 0, divisor: 'relevant', rounding: 'nearest' },
    measures: { rbp: { p: 0.9, grades: 'graded' } },
    ties: 'document',
  },
  letor: {
    title:
      'LETOR 2.0 and 3.0 evaluation scripts: gain 2^label - 1, discount 1 at ranks 1 and 2, then 1/log2(rank), ideal over the list, empty queries count 0.',
    parameters: { gain: 'exp', discount: 'letor', ideal: 'list', empty: 0 },
    ties: 'input',
  },
  ranklib: {
    title:
      'RankLib: gain 2^label - 1, cut-off 10 where none is given, ideal over the list, empty queries count 0, P@k of a short list over its length.',
    parameters: { gain: 'exp', ideal: 'list', empty: 0, divisor: 'relevant', over: 'list' },
    ties: 'input',
    cuts: { ndcg: 10, dcg: 10, p: 10, rr: 10, err: 10 },
  },
  lightgbm: {
    title: 'LightGBM: gain 2^label - 1, empty queries count 1, AP@k divided by min(relevant, k).',
    parameters: { gain: 'exp', ideal: 'list', empty: 1, divisor: 'cut' },
    ties: 'input',
  },
  xgboost: {
    title: 'XGBoost: gain 2^label - 1, empty queries count 1 (0 in precision), AP@k divided by min(relevant, k).',
    parameters: { gain: 'exp', ideal: 'list', empty: 1, divisor: 'cut' },
    measures: { p: { empty: 0 } },
    ties: 'input',
  },
} as const satisfies Record<string, Preset>;

/**
 * The name of a preset.
 *
 * @example
 * import { evaluate, parseMeasures, type PresetName, presets } from 'listwise';
 *
 * const preset: PresetName = 'trec_eval';
 * evaluate(data, scores, parseMeasures('ndcg@10', { preset: presets[preset] }), { ties: presets[preset].ties });
 */
export type PresetName = keyof typeof presets;
