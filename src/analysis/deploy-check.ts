/**
 * What an engine will make of a model: scores data by the rule of its version and says which documents come to other
 * leaves, change rank, and what measures lose.
 */
import type { Dataset } from '../data/dataset.js';
import { queryOfRow } from '../data/query-of-row.js';
import { ListwiseError } from '../errors.js';
import { exportModel } from '../interop/convert.js';
import { type EngineScorer, engineScorer } from '../interop/engines/engine-scorer.js';
import { findEngine, ruleFor } from '../interop/engines/find-rules.js';
import { type EngineRule, kindsOf } from '../interop/engines/rule.js';
import { evaluate } from '../measures/evaluate.js';
import type { MeasureLike } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import { isOfKind } from '../models/all.js';
import { type MatchOptions, matchFeatures } from '../models/match-features.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import { childOf, type Tree } from '../models/trees/trees.js';
import { ranksOf } from './ranks.js';

/**
 * How a deployment is checked.
 *
 * @example
 * import type { DeployOptions } from 'listwise/analysis';
 *
 * const options: DeployOptions = { engine: 'opensearch@3.5', measures: 'ndcg@5' };
 */
export interface DeployOptions extends MatchOptions {
  /** NAME@VERSION. */
  engine: string;
  /** The format the engine is given; its preferred one where left out. */
  to?: string | undefined;
  measures?: string | readonly MeasureLike[] | undefined;
  ties?: Ties | undefined;
  /** So many examples, at most. */
  examples?: number | undefined;
  progress?: ((share: number) => void) | undefined;
}

/**
 * A document that is ranked otherwise in the engine, and the first split where it goes another way.
 *
 * @example
 * import type { DeployExample } from 'listwise/analysis';
 *
 * const moved = ({ rank }: DeployExample): number => rank.there - rank.here;
 */
export interface DeployExample {
  readonly query: string;
  readonly document: string;
  readonly rank: { readonly here: number; readonly there: number };
  readonly score: { readonly here: number; readonly there: number };
  /** For trees. The value is NaN where it is missing; `left` says whether it goes left. */
  readonly split?:
    | {
        readonly tree: number;
        readonly feature: string;
        readonly value: number;
        readonly threshold: number;
        readonly left: { readonly here: boolean; readonly there: boolean };
      }
    | undefined;
}

/**
 * What an engine makes of a model.
 *
 * @example
 * import { checkDeployment, type DeployCheck } from 'listwise/analysis';
 *
 * const { otherRank, measures }: DeployCheck = checkDeployment(model, test, { engine: 'opensearch@3.5' });
 * console.log(otherRank, measures[0]?.here, measures[0]?.there);
 */
export interface DeployCheck {
  readonly engine: string;
  readonly rule: EngineRule;
  readonly documents: number;
  /** Documents with a missing value in a feature of the model. */
  readonly withMissing: number;
  /** Documents that come to another leaf in a tree, or more; 0 for other models. */
  readonly otherLeaf: number;
  readonly otherRank: number;
  /** Documents that score below 0 there. */
  readonly negative: number;
  /** The largest difference of two scores of a document. */
  readonly largestDifference: number;
  readonly measures: readonly { readonly measure: string; readonly here: number; readonly there: number }[];
  readonly examples: readonly DeployExample[];
  /** What the file for the engine cannot say. */
  readonly losses: readonly string[];
  readonly advice: readonly string[];
}

const EXAMPLES = 5;

/**
 * Scores data by the rule of an engine's version, and compares with the scores here.
 *
 * @example
 * import { checkDeployment } from 'listwise/analysis';
 *
 * const check = checkDeployment(model, test, { engine: 'opensearch@3.5', measures: 'ndcg@5' });
 * for (const { document, rank, split } of check.examples) console.log(document, rank, split?.feature);
 */
export function checkDeployment(model: Ranker, data: Dataset, options: DeployOptions): DeployCheck {
  refuseNormalised(model);
  const engine = findEngine(options.engine);
  const rule = ruleFor(engine, model.kind, options.to);
  const found = walk(model, data, rule, options);
  const there = found.scores;
  const here = scoreData(model, data, options);
  const ranks = { here: ranksOf(data, here), there: ranksOf(data, there) };
  const rows = Array.from({ length: data.rows }, (_, row) => row);
  const moved = rows.filter(row => ranks.here[row] !== ranks.there[row]);
  const far = (row: number) => Math.abs(ranks.here[row]! - ranks.there[row]!);
  const apart = (row: number) => Math.abs(here[row]! - there[row]!);
  const worst = moved.toSorted((a, b) => far(b) - far(a) || apart(b) - apart(a) || a - b);
  const queries = queryOfRow(data);
  const measures = options.measures ?? 'ndcg@10';
  const ties = options.ties === undefined ? {} : { ties: options.ties };
  const evaluated = { here: evaluate(data, here, measures, ties), there: evaluate(data, there, measures, ties) };
  const { losses } = exportModel(model, { to: rule.format, rule });
  const negative = there.reduce((count, score) => count + Number(score < 0), 0);
  const others = engine.rules.filter(other => other !== rule && kindsOf(other).some(kind => kind === model.kind));
  const better =
    found.otherLeaf.size === 0 ? [] : others.filter(other => walk(model, data, other, options).otherLeaf.size === 0);
  return {
    engine: options.engine,
    rule,
    documents: data.rows,
    withMissing: found.withMissing,
    otherLeaf: found.otherLeaf.size,
    otherRank: moved.length,
    negative,
    largestDifference: rows.reduce((most, row) => Math.max(most, apart(row)), 0),
    measures: evaluated.here.map((result, m) => ({
      measure: result.asked,
      here: result.mean,
      there: evaluated.there[m]!.mean,
    })),
    examples: worst.slice(0, options.examples ?? EXAMPLES).map(row => ({
      query: data.queryIds[queries[row]!]!,
      document: data.documentId(row),
      rank: { here: ranks.here[row]!, there: ranks.there[row]! },
      score: { here: here[row]!, there: there[row]! },
      split: found.otherLeaf.get(row),
    })),
    losses,
    advice: adviceOn(rule, { otherLeaf: found.otherLeaf.size, negative, better }),
  };
}

interface Findings {
  readonly otherLeaf: number;
  readonly negative: number;
  readonly better: readonly EngineRule[];
}

function adviceOn(rule: EngineRule, { otherLeaf, negative, better }: Findings): string[] {
  const formats = better.map(({ format }) => format).join(' or ');
  return [
    ...(better.length > 0 ? [`Deploy as ${formats}: all documents come to the same leaves there.`] : []),
    ...(otherLeaf > 0 && rule.advice !== undefined ? [rule.advice] : []),
    ...(rule.negative === 'disallowed' && negative > 0
      ? ['Write the model with `offset: auto`: Lucene allows no scores below 0.']
      : []),
  ];
}

/** Engines know nothing of the other documents of a query when they score one. */
function refuseNormalised({ description }: Ranker): void {
  if (description?.normalise === undefined) return;
  throw new ListwiseError(
    'model-unsupported',
    `the model has features normalised within each query (${description.normalise}), which no engine does; train one without`,
  );
}

/** The scores of an engine, one a row of the data. */
export function engineScores(model: Ranker, data: Dataset, rule: EngineRule, options: DeployOptions): Float64Array {
  refuseNormalised(model);
  return walk(model, data, rule, options).scores;
}

/** Scores there, and where documents part from the way they go here. */
function walk(model: Ranker, data: Dataset, rule: EngineRule, options: DeployOptions) {
  const columns = matchFeatures(model, data, { ...options, note: undefined });
  const scorer = engineScorer(model, rule);
  const scores = new Float64Array(data.rows);
  const otherLeaf = new Map<number, NonNullable<DeployExample['split']>>();
  const features = new Float32Array(model.featureNames.length);
  let withMissing = 0;
  for (const { start, rows, stride, data: values } of data.blocks) {
    for (let i = 0; i < rows; i++) {
      for (let f = 0; f < features.length; f++)
        features[f] = columns[f]! < 0 ? (options.absent ?? 0) : values[columns[f]! * stride + i]!;
      if (features.some(Number.isNaN)) withMissing++;
      scores[start + i] = scorer.score(features);
      const parting = isOfKind(model, 'trees')
        ? partingOf(model.trees, model.featureNames, features, scorer)
        : undefined;
      if (parting !== undefined) otherLeaf.set(start + i, parting);
    }
    options.progress?.((start + rows) / data.rows);
  }
  return { scores, otherLeaf, withMissing };
}

/** The first split where a document goes one way here and another there. */
function partingOf(
  trees: readonly Tree[],
  names: readonly string[],
  features: Float32Array,
  scorer: EngineScorer,
): DeployExample['split'] {
  for (const [number, tree] of trees.entries()) {
    for (let node = tree.feature.length > 0 ? 0 : -1; node >= 0; ) {
      const here = childOf(tree, node, features);
      if (here !== scorer.childOf!(tree, node, features)) {
        const feature = tree.feature[node]!;
        const left = here === tree.left[node];
        return {
          tree: number + 1,
          feature: names[feature]!,
          value: features[feature]!,
          threshold: tree.threshold[node]!,
          left: { here: left, there: !left },
        };
      }
      node = here;
    }
  }
  return undefined;
}
