/** The training log, iteration by iteration. */

/**
 * One line of the training log. Values are of the selecting measures, in their order.
 *
 * @example
 * import { type IterationRecord, train } from 'listwise';
 *
 * const log: IterationRecord[] = [];
 * await train({ model: 'net', data, onIteration: record => log.push(record) });
 * console.log(log.map(({ validation }) => validation[0]));
 */
export interface IterationRecord {
  /** Counted from 1. */
  readonly iteration: number;
  /** Mean cost of a query; NaN where it is not followed or the objective has none. */
  readonly cost: number;
  /**
   * On the training data: by descent as each query was seen during the iteration, before the updates that followed; by
   * trees after the iteration. Empty where it is not evaluated, or where trees are selected on the training data, so
   * that `validation` says it.
   */
  readonly training: readonly number[];
  /** On the selecting data, after the iteration. */
  readonly validation: readonly number[];
  /** The other measures that were asked for, by name, on the selecting data after the iteration. */
  readonly measures?: Readonly<Record<string, number>>;
  /** Pairs (or documents) with a lambda. */
  readonly pairs: number;
  readonly rate: number;
  /** What else a trainer knows of the iteration, by name, such as the bounds of an optimum. */
  readonly facts?: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Whether it is the best so far. */
  readonly best: boolean;
  /** What else happened, such as a restart. */
  readonly event?: string;
  /** Where asked for. */
  readonly diagnostics?: IterationDiagnostics;
}

/** What Svore et al. 2011 draw of each iteration. */
export interface IterationDiagnostics {
  /** Mean share of a query's documents on which the first two parts pull the same way; NaN for one part. */
  readonly agreement: number;
  /** Sum of |lambda| over the documents of each label, one value a part of the objective. */
  readonly lambdaByLabel: readonly { readonly label: number; readonly parts: readonly number[] }[];
  /**
   * From which labels the lambda on highly relevant documents comes, labels in the upper half of their range: shares of
   * the lambdas of the first part that is made of pairs. Empty where none is.
   */
  readonly lambdaSources: readonly { readonly label: number; readonly share: number }[];
  /** Documents of each label in the top 3; NaN is unjudged. */
  readonly topLabels: readonly { readonly label: number; readonly documents: number }[];
  /** Share of ranks that hold another document than before, in the top 3 and in all. */
  readonly rankChanges: { readonly top: number; readonly all: number };
}
