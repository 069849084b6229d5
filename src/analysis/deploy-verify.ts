/**
 * Whether an engine returned the scores that its rule gives. What convert adds to every score is known; any other
 * constant is believed where documents whose scores differ have it in common, since one score fits with some constant
 * whatever it is.
 */
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
  /** Whether a file of convert has that offset, or the one that was asked for, or none. */
  readonly offsetIsKnown: boolean;
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
  /** What is to be known of the version. */
  readonly notes: readonly string[];
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
    offsetIsKnown: best.offset === 0,
    same: found.length - best.other.length,
    other: best.other.length,
    largestDifference: best.compared.reduce((most, { off }) => Math.max(most, off), 0),
    examples: best.other.slice(0, options.examples ?? 5).map(({ answer, score }) => ({
      query: answer.query,
      document: answer.document,
      expected: score,
      found: answer.score,
    })),
    notes: deployed.engine.notes,
  };
}

/** Answers beside what the rule gives; up to a constant only where that is nearer, and not by chance. */
function comparedBy(found: readonly Answered[], scores: Float64Array) {
  const plain = comparedWith(found, scores, 0);
  const constant = middle(found.map(({ answer, row }) => answer.score - scores[row]!));
  const moved = comparedWith(found, scores, constant);
  return moved.agreeing > 1 && moved.other.length < plain.other.length ? moved : plain;
}

interface Answered {
  readonly answer: AnsweredScore;
  readonly row: number;
}

/** With so much added to what the rule gives; those that are off come with the furthest first. */
function comparedWith(found: readonly Answered[], scores: Float64Array, offset: number) {
  const compared = found.map(({ answer, row }) => {
    const score = scores[row]! + offset;
    return { answer, score, off: Math.abs(answer.score - score) };
  });
  const allowed = (score: number) => TOLERANCE * Math.max(1, Math.abs(score - offset), Math.abs(offset));
  const isOff = ({ off, score }: (typeof compared)[number]) => off > allowed(score);
  const other = compared.filter(isOff).toSorted((a, b) => b.off - a.off);
  // Different scores that are as expected: documents that tie are one.
  const agreeing = new Set(compared.filter(one => !isOff(one)).map(({ score }) => score)).size;
  return { offset, compared, other, agreeing };
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
