/**
 * What a measure is. A measure knows how a ranking is evaluated and what swapping two documents changes; it knows
 * nothing of models, objectives or files. To add one, see docs/adding-a-measure.md.
 */
import { PRIMARY_LABEL } from '../data/primary-label.js';
import {
  choiceParameter,
  nameParameter,
  numberParameter,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from '../spec/parameters.js';
import type { Steps } from '../steps.js';
import type { ExpectationForm } from './forms/expectation.js';
import type { TiedRanks } from './forms/over-ties.js';
import type { ApproxForm, SoftForm } from './forms/smooth-forms.js';

/**
 * One query's documents in the order a system ranks them. Arrays may be longer than `n` and are reused between queries.
 *
 * @example
 * import type { QueryView } from 'listwise';
 *
 * const precisionAtOne = (view: QueryView): number => (view.ranked('label')[0]! > 0 ? 1 : 0);
 */
export interface QueryView {
  /** The query's number in the data set, from 0. */
  readonly query: number;
  /** The same in all data, where this process has a part of it: what is drawn for a query is drawn by this number. */
  readonly number: number;
  /** Documents in the list. */
  readonly n: number;
  /** Scores by document; higher is better. */
  readonly scores: Float64Array;
  /** order[r] is the document at rank r + 1; ties in score are broken one way or another. */
  readonly order: Uint32Array;
  /** Which ranks share a score, where that matters and ties stand for all their orders. */
  readonly tied?: TiedRanks | undefined;
  /** Positions at which documents were shown, from 1, by document, where the data has them; NaN where unknown. */
  readonly positions?: Float64Array | undefined;
  /** Labels by document; NaN is unjudged. */
  labels(source: string): Float64Array;
  /** Labels by rank: the label of the document at rank r + 1. NaN is unjudged. */
  ranked(source: string): Float64Array;
  /**
   * All judged labels of the query, highest first: of the list alone, or with the judged documents outside it. Unlike
   * the others this array is exactly as long as there are labels.
   */
  ideal(source: string, over: 'list' | 'judged'): Float64Array;
}

/** Scratch that a swap form fills for one query. `gain` is by document; the others are by rank from 0. */
export interface SwapTables {
  gain: Float64Array;
  upper: Float64Array;
  slope: Float64Array;
  lower: Float64Array;
}

/**
 * The signed change of a query's contribution when the documents at ranks a < b trade places, everything else fixed, as
 * a *form* that kernels can compute without knowing the measure.
 *
 * - separable: norm (gain_b - gain_a) (upper_a - upper_b), with `upper` the discount of each rank.
 * - tables: norm (gain_b - gain_a) (upper_a - slope_a lower_b).
 * - function: whatever `begin` returns, called with ranks from 0, a < b.
 *
 * `fill` returns the norm, NaN where the measure is undefined for the query; `begin` returns undefined there. A form
 * that is right for two judged documents only says so: other swapped lists are then evaluated. Tables depend on the
 * documents through their gains alone, and through whether they are judged where only judged ones count.
 *
 * @example
 * import type { Measure } from 'listwise';
 * import type { SwapForm } from 'listwise/measures';
 *
 * const form = ({ swap }: Measure): SwapForm['form'] => swap.form;
 */
export type SwapForm =
  | { readonly form: 'separable'; fill(view: QueryView, tables: Pick<SwapTables, 'gain' | 'upper'>): number }
  | {
      readonly form: 'tables';
      readonly judgedOnly?: boolean;
      fill(view: QueryView, tables: SwapTables): number;
    }
  | {
      readonly form: 'function';
      readonly judgedOnly?: boolean;
      begin(view: QueryView): ((a: number, b: number) => number) | undefined;
    };

/** How values of queries become one value: finish(mean of of(value)). The default is the arithmetic mean. */
export interface Aggregate {
  readonly name: string;
  /** What `of` gives, in words: differences between systems are differences of that. */
  readonly scale?: string;
  of(value: number): number;
  finish(mean: number): number;
}

/**
 * A measure with its parameters settled.
 *
 * @example
 * import { type Measure, parseMeasure } from 'listwise';
 *
 * const measure: Measure = parseMeasure('ndcg(gain=linear)@5');
 * console.log(measure.spec, measure.range);
 */
export interface Measure {
  /** The canonical string: parses and prints back to itself, keys tables and caches. */
  readonly spec: string;
  /** The least and the largest value of a query. */
  readonly range: readonly [number, number];
  /** The label source used. */
  readonly labels: string;
  /** What a query counts for which the measure is undefined. */
  readonly empty: number | 'skip';
  /** The value for one query in the order shown; NaN where it is undefined (no relevant document, say). */
  value(view: QueryView): number;
  /** The mean of `value` over all orders of documents with equal scores, where it has a closed form. */
  overTies?(view: QueryView, tied: TiedRanks): number;
  /** The value, or the mean where there are ties, step by step, where one long query can take seconds. */
  valueSteps?(view: QueryView): Steps<number>;
  readonly swap: SwapForm;
  /** Differentiable forms, where it has them. */
  readonly soft?: SoftForm;
  readonly approx?: ApproxForm;
  /** Its expected value over random labels, where it has that form. */
  readonly expectation?: ExpectationForm;
  readonly aggregate: Aggregate;
}

export const arithmeticMean: Aggregate = { name: 'arithmetic mean', of: value => value, finish: mean => mean };

/**
 * What `create` gives back; the definition around it adds the rest.
 *
 * @example
 * import type { MeasureBody } from 'listwise/measures';
 *
 * const body: MeasureBody = { value: view => (view.ranked('label')[0]! > 0 ? 1 : 0) };
 */
export interface MeasureBody {
  value(view: QueryView): number;
  /** Left out, the mean is taken over orders drawn at random. */
  overTies?(view: QueryView, tied: TiedRanks): number;
  /** Left out, the swapped list is evaluated anew for each pair: always right, and slow. */
  readonly swap?: SwapForm;
  readonly soft?: SoftForm;
  readonly approx?: ApproxForm;
  readonly expectation?: ExpectationForm;
  readonly aggregate?: Aggregate;
}

/**
 * The declared record of a measure: one file each, one line in `all.ts`.
 *
 * @example
 * import { measureDefinitions } from 'listwise';
 * import type { MeasureDefinition } from 'listwise/measures';
 *
 * const named = (name: string): MeasureDefinition | undefined => measureDefinitions.find(one => one.name === name);
 */
export interface MeasureDefinition<P extends Parameters = Parameters, N extends string = string> {
  readonly name: N;
  readonly title: string;
  /** The formula and what to know about it, in a few sentences; goes into docs/measures.md. */
  readonly description: string;
  readonly citation: string;
  readonly cutoff: 'none' | 'optional' | 'required';
  /** The least and the largest value there can be. */
  readonly range: readonly [number, number];
  readonly parameters: P;
  /** trec_eval's names for it; `*` stands for the cut-off, `{key}` for the value of a parameter. */
  readonly aliases?: readonly string[];
  /** `labels` is the source that the measure must read. */
  create(values: ValuesOf<P>, context: { cut: number | undefined; labels: string }): MeasureBody;
}

/**
 * A measure of your own; docs/adding-a-measure.md says what it can declare besides.
 *
 * @example
 * import { defineMeasure, evaluate, parseMeasure } from 'listwise';
 *
 * const topIsRelevant = defineMeasure({
 *   name: 'top',
 *   title: 'Is the first document relevant',
 *   description: '1 where the first document has a label of at least 1, else 0.',
 *   citation: 'none',
 *   cutoff: 'none',
 *   range: [0, 1],
 *   parameters: {},
 *   create: (_, { labels }) => ({ value: view => (view.ranked(labels)[0]! >= 1 ? 1 : 0) }),
 * });
 * evaluate(data, scores, [parseMeasure('top', { more: [topIsRelevant] })]);
 */
export function defineMeasure<const P extends Parameters, const N extends string>(
  definition: MeasureDefinition<P, N>,
): MeasureDefinition<P, N> {
  return definition;
}

/** Parameters that every measure has, read by the parser, not by the measure. */
export const commonParameters = {
  labels: nameParameter({ default: PRIMARY_LABEL, description: 'The label source to use.' }),
  empty: {
    default: 0,
    description:
      'What a query counts for which the measure is undefined (mostly: no relevant document): a number, or skip.',
    allowed: 'a number or skip',
    parse(text: string) {
      if (text === 'skip') return 'skip';
      const value = Number(text);
      return text !== '' && Number.isFinite(value) ? value : undefined;
    },
    print: String,
  } satisfies Parameter<number | 'skip'> as Parameter<number | 'skip'>,
} as const satisfies Parameters;

/**
 * The label from which a document counts as relevant, for measures of binary relevance.
 *
 * @example
 * import { relevanceParameter } from 'listwise/measures';
 *
 * const parameters = { rel: relevanceParameter };
 */
export const relevanceParameter = numberParameter({
  default: 1,
  description: 'A document is relevant when its label is at least this.',
});

/**
 * The parameter `ideal` of built-in measures: whether the ideal ranking is of the documents in the list or of all
 * judged ones.
 *
 * @example
 * import { idealParameter } from 'listwise/measures';
 *
 * const parameters = { ideal: idealParameter };
 */
export const idealParameter = choiceParameter({
  choices: ['list', 'judged'],
  default: 'judged',
  description:
    'Which documents the best possible list may hold, and R counts: those in the list, or all judged ones (the same unless judgments come from a qrels file).',
});
