/**
 * What an engine will make of a model: scores data by the rule of its version and says which documents come to other
 * leaves, change rank, and what measures lose.
 */
import type { Dataset } from '../data/dataset.js';
import { queryOfRow } from '../data/query-of-row.js';
import { exportModel } from '../interop/convert.js';
import { deploymentOf } from '../interop/engines/deployment.js';
import type { EngineRule } from '../interop/engines/rule.js';
import { sigmoid, type Transform } from '../interop/transform.js';
import { evaluate } from '../measures/evaluate.js';
import type { MeasureLike } from '../measures/parse.js';
import type { Ties } from '../measures/query-view.js';
import type { MatchOptions } from '../models/match-features.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import { adviceOn } from './deploy-advice.js';
import { type OtherWay, walk } from './deploy-walk.js';
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
  /**
   * What is added to every score, as conversions take it: a number or `auto`; where left out, `auto` where the engine
   * allows no scores below 0 and the model has a least one.
   */
  offset?: string | undefined;
  /** What the engine is asked to make of sums; where left out, what the file of the model says, as far as it does. */
  transform?: Transform | undefined;
  /** What the file of the model says. */
  fileTransform?: Transform | undefined;
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
  /** For trees. */
  readonly split?: OtherWay | undefined;
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
  /** What is added to every score in the file that the engine is given. */
  readonly offset: number;
  /** What the engine itself adds to every score, so that none is below 0. */
  readonly raised: number;
  /** What the engine makes of sums. */
  readonly transform: Transform;
  readonly documents: number;
  /** Documents with a missing value in a feature of the model. */
  readonly withMissing: number;
  /** Documents that come to another leaf in a tree, or more; 0 for other models. */
  readonly otherLeaf: number;
  readonly otherRank: number;
  /** Documents that score below 0 there. */
  readonly negative: number;
  /** The largest difference of two scores of a document; what is added to all, and a sigmoid, aside. */
  readonly largestDifference: number;
  readonly measures: readonly { readonly measure: string; readonly here: number; readonly there: number }[];
  readonly examples: readonly DeployExample[];
  /** What the file for the engine cannot say. */
  readonly losses: readonly string[];
  readonly advice: readonly string[];
  /** What is to be known of the version. */
  readonly notes: readonly string[];
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
  const deployed = deploymentOf(options.engine, model, options);
  const { rule, offset, transform } = deployed;
  const found = walk(deployed, data, options);
  const there = found.scores;
  const here = scoreData(model, data, options);
  const ranks = { here: ranksOf(data, here), there: ranksOf(data, there) };
  const rows = Array.from({ length: data.rows }, (_, row) => row);
  const moved = rows.filter(row => ranks.here[row] !== ranks.there[row]);
  const far = (row: number) => Math.abs(ranks.here[row]! - ranks.there[row]!);
  const added = offset + found.raised;
  const expected = (row: number) => (transform === 'sigmoid' ? sigmoid(here[row]! + added) : here[row]! + added);
  const apart = (row: number) => Math.abs(expected(row) - there[row]!);
  const worst = moved.toSorted((a, b) => far(b) - far(a) || apart(b) - apart(a) || a - b);
  const queries = queryOfRow(data);
  const measures = options.measures ?? 'ndcg@10';
  const ties = options.ties === undefined ? {} : { ties: options.ties };
  const evaluated = { here: evaluate(data, here, measures, ties), there: evaluate(data, there, measures, ties) };
  const { losses, kinds } = exportModel(model, { to: rule.format, rule, offset: String(offset), transform });
  const negative = there.reduce((count, score) => count + Number(score < 0), 0);
  return {
    engine: options.engine,
    rule,
    offset,
    raised: found.raised,
    transform,
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
    losses: [...losses, ...lostTransform(transform, options)],
    advice: adviceOn({ model, data, deployed, found, ranks, kinds, options }),
    notes: deployed.engine.notes,
  };
}

/** Where the system of the file makes something of sums that the engine does not. */
function lostTransform(transform: Transform, { transform: asked, fileTransform = transform }: DeployOptions): string[] {
  return asked === undefined && fileTransform !== transform
    ? [`the model's own system gives a ${fileTransform} of sums; there they are sums, in the same order`]
    : [];
}
