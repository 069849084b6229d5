/** Whether an engine returned the scores that its rule gives: by document, up to a constant that was added to all. */
import type { Dataset } from '../data/dataset.js';
import { queryOfRow } from '../data/query-of-row.js';
import type { AnsweredScore } from '../data/readers/feature-log/search-answers.js';
import { ListwiseError } from '../errors.js';
import { deploymentOf } from '../interop/engines/deployment.js';
import type { EngineRule } from '../interop/engines/rule.js';
import type { Ranker } from '../models/ranker.js';
import type { DeployOptions } from './deploy-check.js';
import { walk } from './deploy-walk.js';

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
  const deployed = deploymentOf(options.engine, model, options);
  const queries = queryOfRow(data);
  const key = (query: string, document: string) => JSON.stringify([query, document]);
  const rows = new Map(
    Array.from(queries, (query, row) => [key(data.queryIds[query]!, data.documentId(row)), row] as const),
  );
  const found = answered.flatMap(answer => {
    const ids = [answer.document, ...(answer.also ?? [])];
    const row = ids.map(id => rows.get(key(answer.query, id))).find(one => one !== undefined);
    return row === undefined ? [] : [{ answer, row }];
  });
  if (found.length === 0)
    throw new ListwiseError(
      'data-empty',
      `none of the ${answered.length} answered documents is in the data; answers name their query as "qid" beside the hits, or by the name of the file`,
    );
  const expected = comparedBy(found, walk(deployed, data, options).scores);
  // What was written with another offset, or with none, is rounded otherwise.
  const plain = deployed.offset === 0 ? undefined : deploymentOf(options.engine, model, { ...options, offset: '0' });
  const bare = plain && comparedBy(found, walk(plain, data, { ...options, progress: undefined }).scores);
  const best = bare !== undefined && isNearer(bare, expected) ? bare : expected;
  const offset = best.offset + (best === expected ? deployed.offset : 0);
  return {
    engine: options.engine,
    rule: deployed.rule,
    documents: found.length,
    unknown: answered.length - found.length,
    offset: Math.abs(offset) <= TOLERANCE ? 0 : offset,
    same: found.length - best.other.length,
    other: best.other.length,
    largestDifference: best.compared.reduce((most, { off }) => Math.max(most, off), 0),
    examples: best.other.slice(0, options.examples ?? 5).map(({ answer, score }) => ({
      query: answer.query,
      document: answer.document,
      expected: score,
      found: answer.score,
    })),
  };
}

/** Answers beside what the rule gives, up to a constant; those that are off, the furthest first. */
function comparedBy(found: readonly { answer: AnsweredScore; row: number }[], scores: Float64Array) {
  const offset = middle(found.map(({ answer, row }) => answer.score - scores[row]!));
  const compared = found.map(({ answer, row }) => {
    const score = scores[row]! + offset;
    return { answer, score, off: Math.abs(answer.score - score) };
  });
  const allowed = (score: number) => TOLERANCE * Math.max(1, Math.abs(score - offset), Math.abs(offset));
  const other = compared.filter(({ off, score }) => off > allowed(score)).toSorted((a, b) => b.off - a.off);
  return { offset, compared, other };
}

type Compared = ReturnType<typeof comparedBy>;

/** Fewer scores that are off; where as many are, less that is added to all. */
function isNearer(a: Compared, b: Compared): boolean {
  const fewer = a.other.length - b.other.length;
  return fewer === 0 ? Math.abs(a.offset) < Math.abs(b.offset) : fewer < 0;
}

/** The median: scores that are off do not move it while they are few. */
function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
