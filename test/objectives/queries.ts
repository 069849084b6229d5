/** Queries for the tests of objectives: made, shown as views, and the lambdas on them. */
import { Dataset } from '#listwise/data/dataset.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import { Random } from '#listwise/numeric/random.js';
import type { ObjectiveRun } from '#listwise/objectives/objective.js';

export interface Query {
  scores: readonly number[];
  /** The primary labels; NaN is unjudged. */
  label: readonly number[];
  /** Click labels from 0 to 1. */
  clicks?: readonly number[];
  /** Positions shown at; 1, 2, … where left out. */
  positions?: readonly number[];
}

export function datasetOf(...queries: readonly Query[]): Dataset {
  const offsets = [0];
  for (const query of queries) offsets.push(offsets.at(-1)! + query.scores.length);
  const clicksOf = (query: Query) => query.clicks ?? query.label.map(label => label / 4);
  return new Dataset({
    featureNames: [],
    blocks: [],
    offsets: Uint32Array.from(offsets),
    queryIds: queries.map((_, q) => `q${q}`),
    labels: new Map([
      ['label', Float64Array.from(queries.flatMap(query => query.label))],
      ['clicks', Float64Array.from(queries.flatMap(clicksOf))],
    ]),
    positions: Float64Array.from(queries.flatMap(({ positions, scores }) => positions ?? scores.map((_, i) => i + 1))),
  });
}

export function viewOf(query: Query): DatasetView {
  return new DatasetView(datasetOf(query)).moveTo(0, query.scores);
}

export interface Felt {
  lambda: number[];
  hessian: number[];
  count: number;
}

/** Lambdas into arrays that hold something else before and are longer than the query. */
export function lambdasOf(run: ObjectiveRun, query: Query): Felt {
  const view = viewOf(query);
  const out = { lambda: new Float64Array(view.n + 3).fill(7), hessian: new Float64Array(view.n + 3).fill(-7) };
  const count = run.lambdas(view, out);
  return { lambda: [...out.lambda.subarray(0, view.n)], hessian: [...out.hessian.subarray(0, view.n)], count };
}

export interface QueryOptions {
  n: number;
  /** Standard deviation of the scores. */
  spread?: number;
  /** Share of documents without a label, of either source. */
  unjudged?: number;
}

/** Grades 0 to 4, mostly low, and click labels with many zeros; scores without ties, exact in float32. */
export function randomQuery(seed: number, { n, spread = 1, unjudged = 0 }: QueryOptions): Query {
  const random = new Random(seed, 'query');
  const grades = [0, 0, 0, 1, 1, 2, 3, 4];
  const clicks = [0, 0, 0, 0.25, 0.5, 0.75, 1];
  const lose = (value: number) => (random.uniform() < unjudged ? Number.NaN : value);
  return {
    scores: Array.from({ length: n }, () => Math.fround(spread * random.gaussian())),
    label: Array.from({ length: n }, () => lose(grades[random.below(grades.length)]!)),
    clicks: Array.from({ length: n }, () => lose(clicks[random.below(clicks.length)]!)),
  };
}

/** The query with one score moved. */
export function nudged(query: Query, document: number, by: number): Query {
  return { ...query, scores: query.scores.map((score, i) => (i === document ? score + by : score)) };
}
