/** From the body of a request to the text of its answer, whatever carries them. */
import { ListwiseError } from '../errors.js';
import { bestFirst, finite } from '../models/create-ranker.js';
import type { FeatureLog } from './feature-log.js';
import type { LargeLists } from './large-lists.js';
import type { Metrics } from './metrics.js';
import { type DocumentId, type Limits, type RankRequest, readRequest } from './request.js';
import { applyRules } from './rules.js';
import { scanRequest } from './scan-request.js';
import { keyOf, type ServedModel, type ServedModels } from './served-models.js';

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
  const { models, limits, deadline = Infinity, large } = ranking;
  const pick = models.pick.bind(models);
  const read = scanRequest(body, pick, limits) ?? readRequest(body, pick, limits);
  const request: RankRequest = { ...read, id: read.head.request ?? models.nextId() };
  const { served, head, documents } = request;
  if (head.rules !== undefined && !order)
    throw new ListwiseError('request-invalid', '"rules" are for /rank: /score keeps the order of the documents');
  const n = documents.length;
  const asked = featuresAsked(request);
  const end = arrived + deadline;
  const start = performance.now();
  const isLong = served.pace.isLong(n);
  // Threads may still be at lists that are too late already.
  const queued = isLong && end < Infinity && large.waiting(served.ranker.model) >= large.threads;
  if (queued || start > end || start + served.pace.expected(n) / (isLong ? large.threads : 1) > end) {
    served.pace.skipped();
    return finish(ranking, body, request, {}, order);
  }
  if (isLong || (asked > 0 && served.whyPace.isLong(n))) {
    const kept = { ...request, rows: request.rows.slice() };
    return foundLong(large, kept, asked, end).then(found => finish(ranking, body, kept, found, order));
  }
  const scores = served.ranker.scoreRows(request.rows, n);
  const scored = performance.now();
  if (n > 0) served.pace.took(scored - start, n);
  if (asked === 0 || whyIsLate(served, n, scored, end)) return finish(ranking, body, request, { scores }, order);
  const why = served.ranker.why(request.rows, n, asked).map(parts => JSON.stringify(parts));
  if (n > 0) served.whyPace.took(performance.now() - scored, n);
  return finish(ranking, body, request, { scores, why }, order);
}

/** What was found before the deadline. */
interface Found {
  readonly scores?: Float64Array | undefined;
  /** A JSON text a document. */
  readonly why?: readonly string[] | undefined;
}

/** Values of an answer to "why": more would keep others waiting while they are written. */
const MOST_REASONS = 200_000;

/** How many features of each document the answer is to explain. */
function featuresAsked({ head: { why }, served, documents }: RankRequest): number {
  const width = served.ranker.featureNames.length;
  const asked = why === true ? width : Math.min(width, Number(why));
  const most = Math.floor(MOST_REASONS / Math.max(1, documents.length));
  if (asked <= most) return asked;
  const advice = most === 0 ? 'ask with fewer documents' : `ask for fewer features, as "why": ${most}, or documents`;
  throw new ListwiseError('request-too-large', `"why" would have more than ${MOST_REASONS} values: ${advice}`);
}

/** Scores and reasons of a list that threads look at. */
async function foundLong(large: LargeLists, request: RankRequest, asked: number, end: number): Promise<Found> {
  const { served, rows, documents } = request;
  const { model } = served.ranker;
  const n = documents.length;
  const scores = await (served.pace.isLong(n)
    ? inTime(large.score(model, rows, n).then(finite), end)
    : served.ranker.scoreRows(rows, n));
  if (scores === undefined || asked === 0 || whyIsLate(served, n, performance.now(), end)) return { scores };
  return { scores, why: await inTime(large.why(model, rows, n, asked), end) };
}

/** Whether reasons that are begun now would be late; then they are left out, and the next may be tried again. */
function whyIsLate({ whyPace }: ServedModel, n: number, now: number, end: number): boolean {
  const late = now + whyPace.expected(n) > end;
  if (late) whyPace.skipped();
  return late;
}

/** Undefined where it would be late. */
async function inTime<T>(work: Promise<T>, end: number): Promise<T | undefined> {
  if (end === Infinity) return work;
  work.catch(() => {}); // where nobody waits any more
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, end - performance.now()));
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function finish(ranking: Ranking, body: readonly Buffer[], request: RankRequest, found: Found, order: boolean): string {
  const { models, metrics } = ranking;
  const { served, head, documents } = request;
  const { scores } = found;
  if (scores === undefined) metrics.late.add(served.labels);
  else metrics.documents.add(served.labels, documents.length);
  const best = scores && (order || models.shadows.length > 0) ? bestFirst(scores) : undefined;
  let ranked = best === undefined || !order ? Array.from(documents.keys()) : best;
  if (head.rules !== undefined) {
    // Without scores, the place in which a document was given stands for its score.
    ranked = applyRules(ranked, scores ?? ranked.map(i => -i), documents, head.rules);
  }
  if (scores !== undefined) ranking.watch(request, scores);
  if (order) ranking.log?.add(request, scores, ranked);
  if (best !== undefined && models.shadows.length > 0) setImmediate(() => shadow(ranking, body, request, best[0]));
  return answerText(request, ranked, found, order, ranking.log !== undefined);
}

/** Shadow models read the request anew: their features may be others. `first` is the best by the model served. */
function shadow(
  { models, metrics, limits, large }: Ranking,
  body: readonly Buffer[],
  request: RankRequest,
  first: number | undefined,
): void {
  for (const served of models.shadows) {
    const count = (result: string) =>
      metrics.shadowed.add({ model: keyOf(served), served: keyOf(request.served), result });
    const compare = (scores: Float64Array) => count(bestFirst(scores)[0] === first ? 'same first' : 'other first');
    const fail = (error: unknown) => count(error instanceof ListwiseError ? error.code : 'internal');
    try {
      const { rows, documents } = scanRequest(body, () => served, limits) ?? readRequest(body, () => served, limits);
      const n = documents.length;
      if (served.pace.isLong(n)) large.score(served.ranker.model, rows, n).then(finite).then(compare).catch(fail);
      else compare(served.ranker.scoreRows(rows, n));
    } catch (error) {
      fail(error);
    }
  }
}

/** Written by hand: several times as quick as an object a document and JSON.stringify. */
function answerText(
  { documents, served, id, head }: RankRequest,
  ranked: readonly number[],
  { scores, why }: Found,
  order: boolean,
  logged: boolean,
): string {
  const version = served.version === undefined ? '' : `,"version":${JSON.stringify(served.version)}`;
  const whyLate = head.why !== false && why === undefined ? ',"why_late":true' : '';
  const late = scores === undefined ? ',"late":true' : whyLate;
  const named = logged || head.request !== undefined ? `,"request":${JSON.stringify(id)}` : '';
  let text = `{"model":${JSON.stringify(served.name)}${version},"digest":"${served.digest}"${named}${late},"documents":[`;
  let before = '{"id":';
  for (let place = 0; place < ranked.length; place++) {
    const i = ranked[place]!;
    text += before + idText(documents[i]!.id);
    text += SCORE + (scores === undefined ? 'null' : numberText(scores[i]!));
    if (order) text += rankText(place + 1);
    if (why !== undefined) text += `,"why":${why[i]}`;
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
