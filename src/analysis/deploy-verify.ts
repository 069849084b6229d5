/** Whether an engine returned the scores that its rule gives: by document, up to a constant that was added to all. */
import type { Dataset } from '../data/dataset.js';
import { queryOfRow } from '../data/query-of-row.js';
import type { AnsweredScore } from '../data/readers/feature-log/search-answers.js';
import { ListwiseError } from '../errors.js';
import { findEngine, ruleFor } from '../interop/engines/find-rules.js';
import type { EngineRule } from '../interop/engines/rule.js';
import type { Ranker } from '../models/ranker.js';
import { type DeployOptions, engineScores } from './deploy-check.js';

/**
 * What came back from an engine beside what its rule gives.
 *
 * @example
 * import { type DeployVerification, verifyDeployment } from 'listwise/analysis';
 *
 * const answered = [{ query: 'q1', document: 'p100', score: 2.5 }];
 * const found: DeployVerification = verifyDeployment(model, test, answered, { engine: 'opensearch@3.8' });
 * console.log(found.same, found.other);
 */
export interface DeployVerification {
  readonly engine: string;
  readonly rule: EngineRule;
  /** Answers whose document is in the data, and those whose document is not. */
  readonly documents: number;
  readonly unknown: number;
  /** What was added to every score there, such as an offset. */
  readonly offset: number;
  readonly same: number;
  readonly other: number;
  readonly largestDifference: number;
  /** Those that are furthest off; `expected` has the offset in it. */
  readonly examples: readonly {
    readonly query: string;
    readonly document: string;
    readonly expected: number;
    readonly found: number;
  }[];
}

/** Scores are float32 in most engines, and offsets take digits away. */
const TOLERANCE = 2 ** -20;

/**
 * Compares scores that an engine returned with those that the rule of its version gives.
 *
 * @example
 * import { verifyDeployment } from 'listwise/analysis';
 *
 * const answered = [{ query: 'q1', document: 'p100', score: 2.5 }];
 * const { other } = verifyDeployment(model, test, answered, { engine: 'opensearch@3.8' });
 * console.log(other === 0 ? 'as expected' : `${other} scores are off`);
 */
export function verifyDeployment(
  model: Ranker,
  data: Dataset,
  answered: readonly AnsweredScore[],
  options: DeployOptions,
): DeployVerification {
  const rule = ruleFor(findEngine(options.engine), model.kind, options.to);
  const scores = engineScores(model, data, rule, options);
  const queries = queryOfRow(data);
  const key = (query: string, document: string) => JSON.stringify([query, document]);
  const rows = new Map(
    Array.from(queries, (query, row) => [key(data.queryIds[query]!, data.documentId(row)), row] as const),
  );
  const found = answered.flatMap(answer => {
    const row = rows.get(key(answer.query, answer.document));
    return row === undefined ? [] : [{ answer, score: scores[row]! }];
  });
  if (found.length === 0)
    throw new ListwiseError(
      'data-empty',
      `none of the ${answered.length} answered documents is in the data; answers name their query as "qid" beside the hits, or by the name of the file`,
    );
  const offset = middle(found.map(({ answer, score }) => answer.score - score));
  const off = ({ answer, score }: (typeof found)[number]) => Math.abs(answer.score - (score + offset));
  const allowed = ({ score }: (typeof found)[number]) => TOLERANCE * Math.max(1, Math.abs(score), Math.abs(offset));
  const other = found.filter(one => off(one) > allowed(one)).toSorted((a, b) => off(b) - off(a));
  return {
    engine: options.engine,
    rule,
    documents: found.length,
    unknown: answered.length - found.length,
    offset: Math.abs(offset) <= TOLERANCE ? 0 : offset,
    same: found.length - other.length,
    other: other.length,
    largestDifference: found.reduce((most, one) => Math.max(most, off(one)), 0),
    examples: other.slice(0, options.examples ?? 5).map(({ answer, score }) => ({
      query: answer.query,
      document: answer.document,
      expected: score + offset,
      found: answer.score,
    })),
  };
}

/** The median: scores that are off do not move it while they are few. */
function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
