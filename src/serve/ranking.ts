/** From the body of a request to the text of its answer, whatever carries them. */
import { ListwiseError } from '../errors.js';
import { bestFirst, type FeaturePart, finite } from '../models/create-ranker.js';
import type { FeatureLog } from './feature-log.js';
import type { LargeLists } from './large-lists.js';
import type { Metrics } from './metrics.js';
import { type DocumentId, type Limits, type RankRequest, readRequest } from './request.js';
import { applyRules } from './rules.js';
import { scanRequest } from './scan-request.js';
import { keyOf, type ServedModels } from './served-models.js';

export interface Ranking {
  readonly models: ServedModels;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly large: LargeLists;
  readonly log: FeatureLog | undefined;
  /** Milliseconds from the arrival of a request to its answer; beyond them documents keep the given order. */
  readonly deadline: number | undefined;
  /** Called with every list that was scored, while its rows are valid. */
  watch(request: RankRequest, scores: Float64Array): void;
}

/**
 * The answer to POST /rank, or to POST /score where `order` is false. `arrived` is when, as performance.now() says. It
 * comes at once unless the list is long: rows are in a memory that the next request takes.
 */
export function answer(
  ranking: Ranking,
  body: readonly Buffer[],
  order: boolean,
  arrived: number,
): string | Promise<string> {
  const { models, limits, deadline } = ranking;
  const pick = models.pick.bind(models);
  const read = scanRequest(body, pick, limits) ?? readRequest(body, pick, limits);
  const request: RankRequest = { ...read, id: read.head.request ?? models.nextId() };
  const { served, documents } = request;
  const n = documents.length;
  const start = performance.now();
  const left = deadline === undefined ? Infinity : deadline - (start - arrived);
  if (served.pace.isLong(n)) {
    const kept = { ...request, rows: request.rows.slice() };
    return scoreLong(ranking.large, kept, left).then(scores => finish(ranking, body, kept, scores, order));
  }
  let scores: Float64Array | undefined;
  if (left >= 0 && served.pace.expected(n) <= left) {
    scores = served.ranker.scoreRows(request.rows, n);
    if (n > 0) served.pace.took(performance.now() - start, n);
  } else served.pace.skipped();
  return finish(ranking, body, request, scores, order);
}

/** Undefined where the scores would be late. */
async function scoreLong(
  large: LargeLists,
  { served, rows, documents }: RankRequest,
  left: number,
): Promise<Float64Array | undefined> {
  const scored = large.score(served.ranker.model, rows, documents.length).then(scores => finite(scores));
  if (left === Infinity) return scored;
  scored.catch(() => {}); // where nobody waits any more
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, left));
  });
  return Promise.race([scored, late]).finally(() => clearTimeout(timer));
}

function finish(
  ranking: Ranking,
  body: readonly Buffer[],
  request: RankRequest,
  scores: Float64Array | undefined,
  order: boolean,
): string {
  const { models, metrics } = ranking;
  const { served, head, documents, rows } = request;
  if (scores === undefined) metrics.late.add(served.labels);
  else metrics.documents.add(served.labels, documents.length);
  const asked = head.why === true ? Infinity : head.why === false ? 0 : head.why;
  const why = scores && asked > 0 ? served.ranker.why(rows, documents.length, asked) : undefined;
  let ranked = scores === undefined || !order ? Array.from(documents.keys()) : bestFirst(scores);
  if (head.rules !== undefined && order) {
    // Without scores, the place in which a document was given stands for its score.
    ranked = applyRules(ranked, scores ?? ranked.map(i => -i), documents, head.rules);
  }
  if (scores !== undefined) ranking.watch(request, scores);
  if (order) ranking.log?.add(request, scores, ranked);
  if (scores !== undefined && models.shadows.length > 0) setImmediate(() => shadow(ranking, body, request, ranked[0]));
  return answerText(request, ranked, scores, why, order, ranking.log !== undefined);
}

/** Shadow models read the request anew: their features may be others. */
function shadow(
  { models, metrics, limits }: Ranking,
  body: readonly Buffer[],
  request: RankRequest,
  first: number | undefined,
): void {
  for (const served of models.shadows) {
    const model = keyOf(served);
    try {
      const { rows, documents } = scanRequest(body, () => served, limits) ?? readRequest(body, () => served, limits);
      const [best] = bestFirst(served.ranker.scoreRows(rows, documents.length));
      const result = best === first ? 'same first' : 'other first';
      metrics.shadowed.add({ model, served: keyOf(request.served), result }, documents.length);
    } catch (error) {
      const result = error instanceof ListwiseError ? error.code : 'internal';
      metrics.shadowed.add({ model, served: keyOf(request.served), result }, request.documents.length);
    }
  }
}

/** Written by hand: several times as quick as an object a document and JSON.stringify. */
function answerText(
  { documents, served, id, head }: RankRequest,
  ranked: readonly number[],
  scores: Float64Array | undefined,
  why: readonly (readonly FeaturePart[])[] | undefined,
  order: boolean,
  logged: boolean,
): string {
  const version = served.version === undefined ? '' : `,"version":${JSON.stringify(served.version)}`;
  const late = scores === undefined ? ',"late":true' : '';
  const named = logged || head.request !== undefined ? `,"request":${JSON.stringify(id)}` : '';
  let text = `{"model":${JSON.stringify(served.name)}${version},"digest":"${served.digest}"${named}${late},"documents":[`;
  let before = '{"id":';
  for (let place = 0; place < ranked.length; place++) {
    const i = ranked[place]!;
    text += before + idText(documents[i]!.id);
    text += SCORE + (scores === undefined ? 'null' : numberText(scores[i]!));
    if (order) text += rankText(place + 1);
    if (why !== undefined) text += `,"why":${JSON.stringify(why[i])}`;
    before = '},{"id":';
  }
  return `${text}${ranked.length > 0 ? '}' : ''}]}`;
}

const SCORE = ',"score":';
/** Texts that nearly every answer has. */
const ranks: string[] = [];

function rankText(rank: number): string {
  if (rank > 1000) return `,"rank":${rank}`;
  return (ranks[rank] ??= `,"rank":${rank}`);
}

function idText(id: DocumentId): string {
  if (typeof id === 'number') return String(id);
  // Short ids seldom need an escape, and looking is quicker than JSON.stringify.
  if (id.length > 64) return JSON.stringify(id);
  for (let i = 0; i < id.length; i++) {
    const c = id.charCodeAt(i);
    if (c < 0x20 || c > 0x7e || c === 0x22 || c === 0x5c) return JSON.stringify(id);
  }
  return `"${id}"`;
}

/** The shortest that reads back to the same bits. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}
