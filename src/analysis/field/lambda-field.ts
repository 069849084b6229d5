/**
 * What kind of field the lambdas of an objective are (Burges, Ragno, Le 2006, section 4). They are the gradient of some
 * cost iff the Jacobian d lambda_j / d s_k is symmetric everywhere, swaps included, where it has no value: so loops
 * across swaps are walked too. That cost is convex iff -J is positive semidefinite.
 */
import type { Dataset } from '../../data/dataset.js';
import { ListwiseError, quote } from '../../errors.js';
import { DatasetView } from '../../measures/query-view.js';
import { Random } from '../../numeric/random.js';
import { lambdaSteps, type Objective } from '../../objectives/objective.js';
import { atOnce, partOf, type Steps } from '../../steps.js';
import { queryNumber } from '../scored-query.js';
import { eigenvalueSteps } from './eigenvalues.js';
import { asymmetry, type FieldSteps, jacobianSteps, nearestGap } from './jacobian.js';
import { type LoopWork, loopSteps } from './loop-integral.js';

/**
 * Where the lambdas are looked at, and how often.
 *
 * @example
 * import type { FieldOptions } from 'listwise/analysis';
 *
 * const options: FieldOptions = { queries: 20, points: 5, seed: 1 };
 */
export interface FieldOptions {
  /** Queries looked at: the first so many in which documents differ (5). */
  queries?: number | undefined;
  /** This query alone, whatever its documents. */
  query?: string | undefined;
  /** A query with more documents is passed over (100; at most 5,000). */
  mostDocuments?: number | undefined;
  /** Scores, one a row of the data; random ones where none are given. */
  scores?: ArrayLike<number> | undefined;
  /** Random score vectors a query (4), and their standard deviation (1). */
  points?: number | undefined;
  spread?: number | undefined;
  /** Loops at each point, within a region without swaps and across swaps (3 of each). */
  loops?: number | undefined;
  seed?: number | undefined;
}

/** One query at one score vector. */
export interface FieldPoint {
  readonly query: number;
  readonly scores: Float64Array;
  readonly lambda: Float64Array;
  /** Pairs (or documents) with a lambda, and pairs with different labels. */
  readonly effective: number;
  readonly pairs: number;
  /** |sum of lambdas| over the largest lambda. */
  readonly sum: number;
  readonly asymmetry: number;
  /** Least and largest eigenvalue of -J, its symmetric part. */
  readonly eigenvalues: readonly [least: number, largest: number];
  readonly within: readonly LoopWork[];
  readonly across: readonly LoopWork[];
}

export type FieldKind = 'gradient' | 'gradient between swaps' | 'no gradient';

/**
 * Whether lambdas are the gradient of a cost.
 *
 * @example
 * import type { LambdaField } from 'listwise/analysis';
 *
 * const gradient = ({ kind, convex }: LambdaField): string => `${kind}${convex ? ', convex' : ''}`;
 */
export interface LambdaField {
  readonly objective: string;
  readonly points: readonly FieldPoint[];
  readonly kind: FieldKind;
  /** Whether -J is positive semidefinite at every point; said of gradients only. */
  readonly convex: boolean;
  readonly sumsToZero: boolean;
  /** The worst of all points. */
  readonly worst: {
    readonly sum: number;
    readonly asymmetry: number;
    /** Least eigenvalue over the largest |eigenvalue| of its point. */
    readonly eigenvalue: number;
    readonly within: number;
    readonly across: number;
  };
  /** Means over the points. */
  readonly effective: number;
  readonly pairs: number;
}

/** Central differences and integrals are good to far less than this, what they look for is far more. */
const TOLERANCE = 1e-4;
/** Documents of a query, at most: its Jacobian then takes 200 MB, as do its eigenvalues. */
const MOST_DOCUMENTS = 5000;
/** Documents of one score have no region without swaps: they are put apart by this much, in their order. */
const APART = 1e-6;

/**
 * Whether the lambdas of an objective are the gradient of a cost, from their Jacobian at many points.
 *
 * @example
 * import { lambdaField } from 'listwise/analysis';
 * import { parseObjective } from 'listwise/objectives';
 *
 * const { kind } = lambdaField(parseObjective('lambdarank(ndcg)'), data, { queries: 10 });
 * console.log(kind);
 */
export function lambdaField(objective: Objective, data: Dataset, options: FieldOptions = {}): LambdaField {
  return atOnce(fieldSteps(objective, data, options));
}

/** As `lambdaField`, step by step. */
export function* fieldSteps(objective: Objective, data: Dataset, options: FieldOptions = {}): Steps<LambdaField> {
  const { points: perQuery = 4, spread = 1, loops = 3, seed = 1, scores } = options;
  const mostDocuments = options.mostDocuments ?? 100;
  if (mostDocuments > MOST_DOCUMENTS) throw tooManyDocuments(mostDocuments);
  const queries =
    options.query === undefined
      ? chosenQueries(objective, data, options.queries ?? 5, mostDocuments)
      : [namedQuery(objective, data, options.query)];
  const run = objective.start(data, 'reference');
  const view = new DatasetView(data);
  const count = scores === undefined ? perQuery : 1;
  const points: FieldPoint[] = [];
  for (const q of queries) {
    const start = data.offsets[q]!;
    const n = data.offsets[q + 1]! - start;
    const hessian = new Float64Array(n);
    let effective = 0;
    const field: FieldSteps = function* (at) {
      const lambda = new Float64Array(n);
      effective = yield* lambdaSteps(run, view.moveTo(q, at, start), { lambda, hessian });
      return lambda;
    };
    for (let p = 0; p < count; p++) {
      const random = new Random(seed, `field ${data.queryIds[q]} ${p}`);
      const at = Float64Array.from({ length: n }, (_, i) => scores?.[start + i] ?? spread * random.gaussian());
      setApart(at);
      const total = queries.length * count;
      const lambda = yield* partOf(field(at), points.length / total, points.length / total);
      const here = { query: q, scores: at, lambda, effective, pairs: pairsOf(objective, view) };
      const look = lookAt(field, at, lambda, random, loops);
      points.push({ ...here, ...(yield* partOf(look, points.length / total, (points.length + 1) / total)) });
    }
  }
  return summary(objective, points);
}

/** The Jacobian, its eigenvalues, loops within and loops across each count as a quarter of the work. */
function* lookAt(
  field: FieldSteps,
  scores: Float64Array,
  lambda: Float64Array,
  random: Random,
  loops: number,
): Steps<Omit<FieldPoint, 'query' | 'scores' | 'lambda' | 'effective' | 'pairs'>> {
  const n = scores.length;
  const matrix = yield* partOf(jacobianSteps(field, scores), 0, 0.25);
  const negative = matrix.map(value => -value);
  const eigenvalues = yield* partOf(eigenvalueSteps(negative, n), 0.25, 0.5);
  function* walk(goal: (document: number) => number): Steps<LoopWork[]> {
    const walked: LoopWork[] = [];
    for (let l = 0; l < loops; l++) {
      const i = random.below(n);
      const k = (i + 1 + random.below(n - 1)) % n;
      const loop = { i, k, iTo: goal(i), kTo: goal(k) };
      walked.push(yield* partOf(loopSteps(field, scores, loop), l / loops, (l + 1) / loops));
    }
    return walked;
  }
  const within = yield* partOf(
    walk(document => scores[document]! + nearestGap(scores, document) / 4),
    0.5,
    0.75,
  );
  const across = yield* partOf(
    walk(document => beyondNeighbours(scores, document, random)),
    0.75,
    1,
  );
  const largest = lambda.reduce((most, lambda) => Math.max(most, Math.abs(lambda)), 0);
  const total = lambda.reduce((sum, lambda) => sum + lambda, 0);
  return {
    sum: largest === 0 ? 0 : Math.abs(total) / largest,
    asymmetry: asymmetry(matrix, n),
    eigenvalues: [eigenvalues[0]!, eigenvalues[n - 1]!] as const,
    within,
    across,
  };
}

/** A score past one to three others, up or down, in the middle of the gap there. */
function beyondNeighbours(scores: Float64Array, document: number, random: Random): number {
  const sorted = scores.toSorted();
  const place = sorted.indexOf(scores[document]!);
  const by = (1 + random.below(3)) * (random.below(2) === 0 ? 1 : -1);
  const inside = (at: number) => at >= 0 && at < sorted.length;
  const to = inside(place + by) ? place + by : inside(place - by) ? place - by : place === 0 ? sorted.length - 1 : 0;
  const next = sorted[to + Math.sign(to - place)] ?? sorted[to]! + Math.sign(to - place);
  return (sorted[to]! + next) / 2;
}

/** Queries in which two documents have different labels, which an objective needs to have any lambda. */
function namedQuery(objective: Objective, data: Dataset, query: string): number {
  const q = queryNumber(data, query);
  const n = data.offsets[q + 1]! - data.offsets[q]!;
  if (n > MOST_DOCUMENTS) throw tooManyDocuments(n);
  if (hasDifferentLabels(objective, data, q)) return q;
  throw new ListwiseError(
    'training-without-lambda',
    `no two documents of query ${quote(query)} have different labels (${objective.labels.join(', ')})`,
  );
}

export function hasDifferentLabels(objective: Objective, data: Dataset, q: number): boolean {
  const [start, end] = [data.offsets[q]!, data.offsets[q + 1]!];
  return objective.labels.some(source => new Set(data.label(source).subarray(start, end)).size > 1);
}

function tooManyDocuments(found: number): ListwiseError {
  const [most, given] = [MOST_DOCUMENTS, found].map(n => n.toLocaleString('en-GB'));
  return new ListwiseError(
    'option-invalid',
    `the Jacobian of a query has as many entries as it has pairs of documents: queries may have at most ${most}, found ${given}`,
  );
}

function chosenQueries(objective: Objective, data: Dataset, most: number, mostDocuments: number): number[] {
  const chosen: number[] = [];
  for (let q = 0; q < data.queries && chosen.length < most; q++) {
    if (data.offsets[q + 1]! - data.offsets[q]! > mostDocuments) continue;
    if (hasDifferentLabels(objective, data, q)) chosen.push(q);
  }
  if (chosen.length > 0) return chosen;
  throw new ListwiseError(
    'training-without-lambda',
    `no query of at most ${mostDocuments} documents has two with different labels (${objective.labels.join(', ')})`,
  );
}

/** Moves equal scores apart, in the order in which ties are ranked. */
export function setApart(scores: Float64Array): void {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  for (let r = 1; r < order.length; r++) {
    const above = scores[order[r - 1]!]!;
    if (scores[order[r]!]! > above - APART) scores[order[r]!] = above - APART;
  }
}

function pairsOf(objective: Objective, view: DatasetView): number {
  const labels = view.labels(objective.labels[0]!);
  let pairs = 0;
  for (let i = 0; i < view.n; i++) {
    for (let j = 0; j < i; j++) if (labels[i]! < labels[j]! || labels[i]! > labels[j]!) pairs++;
  }
  return pairs;
}

function summary(objective: Objective, points: readonly FieldPoint[]): LambdaField {
  const most = (of: (point: FieldPoint) => readonly number[]) => Math.max(0, ...points.flatMap(of));
  const mean = (of: (point: FieldPoint) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const worst = {
    sum: most(({ sum }) => [sum]),
    asymmetry: most(point => [point.asymmetry]),
    eigenvalue: Math.min(...points.map(({ eigenvalues: [least, largest] }) => relativeLeast(least, largest))),
    within: most(({ within }) => within.map(({ relative }) => relative)),
    across: most(({ across }) => across.map(({ relative }) => relative)),
  };
  const between = worst.asymmetry < TOLERANCE && worst.within < TOLERANCE;
  return {
    objective: objective.spec,
    points,
    worst,
    kind: !between ? 'no gradient' : worst.across < TOLERANCE ? 'gradient' : 'gradient between swaps',
    convex: worst.eigenvalue > -TOLERANCE,
    sumsToZero: worst.sum < TOLERANCE,
    effective: mean(({ effective }) => effective),
    pairs: mean(({ pairs }) => pairs),
  };
}

function relativeLeast(least: number, largest: number): number {
  const scale = Math.max(Math.abs(least), Math.abs(largest));
  return scale === 0 ? 0 : least / scale;
}

/** The answer in one sentence. */
export function fieldVerdict({ objective, kind, convex, sumsToZero, worst }: LambdaField): string {
  const short = (value: number) => Number(value.toPrecision(2));
  const least = `-J has an eigenvalue of ${short(worst.eigenvalue)} of its largest`;
  const zero = sumsToZero ? 'sum to zero' : 'do not sum to zero';
  switch (kind) {
    case 'gradient':
      return `${objective}: the lambdas ${zero} and are the gradient of a cost, also across swaps; it is ${convex ? 'convex wherever looked at' : `not convex (${least})`}.`;
    case 'gradient between swaps':
      return `${objective}: the lambdas ${zero} and are a gradient between swaps (${convex ? 'of a convex cost there' : `of a cost that is not convex: ${least}`}), but not across them: around a loop through swaps they do work (${short(100 * worst.across)} % of that along its sides), so no cost has these lambdas.`;
    case 'no gradient':
      return `${objective}: the lambdas ${zero} and are not the gradient of any cost: the Jacobian is not symmetric (by ${short(worst.asymmetry)} of its largest entry).`;
  }
}
