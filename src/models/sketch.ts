/**
 * How the features and scores of a model were distributed in its training data, in a few numbers each, so that it can
 * be seen later whether documents still come from there. One document of a query counts as much as all of another: as
 * if a query were drawn at random, and then one of its documents.
 */
import type { Dataset } from '../data/dataset.js';
import { shareOf } from '../data/share.js';
import { shortestFloat32 } from '../data/writers/shortest-float.js';
import { hash32 } from '../numeric/random.js';
import { NumberSorter } from '../numeric/sort-numbers.js';
import { matchFeatures } from './match-features.js';
import type { Ranker } from './ranker.js';

/** Bins are ranges between edges: (-inf, edge 0], (edge 0, edge 1], …; a last one is of missing values. */
export interface Distribution {
  readonly edges: readonly number[];
  /** The part of the documents in each bin. */
  readonly shares: readonly number[];
  /** The smallest and the largest value; left out where all are missing. */
  readonly range?: readonly [number, number] | undefined;
}

export interface Sketch {
  /** Queries that the features come from. */
  readonly queries: number;
  /** In the order of the model's features. */
  readonly features: readonly Distribution[];
  /** Scores of data that was held out, where some was; else of the training data. */
  readonly scores: Distribution & { readonly queries: number };
}

const BINS = 10;
/** Documents that are looked at, at least one of each of so many queries at most. */
const SAMPLE = 10_000;

/** Numbers of all processes of a run, one after the other. */
type Gather = (part: Float64Array) => Float64Array;

/** `heldOut` is of data to take scores from: those of training documents are further apart than others'. */
export function sketchOf(model: Ranker, sample: SketchSample, heldOut: SketchSample = sample): Sketch {
  const { weights, queries } = sample;
  const features = columnsFor(model, sample).map(column => distributionOf(column, weights));
  const scores = new Float64Array(heldOut.weights.length);
  model.scoreRows(rowsOf(columnsFor(model, heldOut), scores.length), scores.length, scores);
  return { queries, features, scores: { queries: heldOut.queries, ...distributionOf(scores, heldOut.weights) } };
}

/** By feature of the model. */
function columnsFor(model: Ranker, { columns, weights, ...names }: SketchSample): Float32Array[] {
  const places = matchFeatures(model, names, { fill: true, others: 'ignore' });
  return Array.from(places, column => columns[column] ?? new Float32Array(weights.length));
}

function rowsOf(columns: readonly Float32Array[], n: number): Float32Array {
  const width = columns.length;
  const rows = new Float32Array(n * width);
  for (let i = 0; i < n; i++) for (let f = 0; f < width; f++) rows[i * width + f] = columns[f]![i]!;
  return rows;
}

/** What a sketch needs of data, which may be given up after. */
export interface SketchSample extends Pick<Dataset, 'featureNames' | 'description'> {
  /** By feature of the data. */
  readonly columns: readonly Float32Array[];
  readonly weights: Float64Array;
  readonly queries: number;
}

/** As `sketchOf`, of data alone: in the order of its features. */
export function featureSketch(data: Dataset): Omit<Sketch, 'scores'> {
  const { columns, weights, queries } = sketchSample(data);
  return { queries, features: columns.map(column => distributionOf(column, weights)) };
}

/**
 * Documents of queries, both chosen by a hash of their numbers; all that are taken of a query weigh 1 together. Where
 * several processes have a part of the data each, `gather` brings their numbers together.
 */
export function sketchSample(data: Dataset, gather: Gather = part => part): SketchSample {
  const { firstQuery, queries: all } = shareOf(data);
  const each = Math.max(1, Math.floor(SAMPLE / all));
  const chosen: { row: number; weight: number }[] = [];
  let queries = 0;
  for (let q = 0; q < data.queries; q++) {
    const number = firstQuery + q;
    const [start, end] = [data.offsets[q]!, data.offsets[q + 1]!];
    if (end === start || hash32(number, 11) / 2 ** 32 >= SAMPLE / all) continue;
    queries++;
    const n = Math.min(each, end - start);
    // Evenly spaced from a place chosen by the hash.
    for (let k = 0; k < n; k++) {
      const i = (hash32(number, 13) + Math.floor((k * (end - start)) / n)) % (end - start);
      chosen.push({ row: start + i, weight: 1 / n });
    }
  }
  // One column at a time, in one place: all of them at 64 bits would be among the most memory that training takes.
  const own = new Float64Array(chosen.length);
  const values = (column: number) => {
    for (let i = 0; i < own.length; i++) own[i] = data.feature(chosen[i]!.row, column);
    return own;
  };
  return {
    featureNames: data.featureNames,
    description: data.description,
    columns: data.featureNames.map((_, column) => new Float32Array(gather(values(column)))),
    weights: gather(Float64Array.from(chosen, ({ weight }) => weight)),
    queries: gather(Float64Array.of(queries)).reduce((sum, part) => sum + part, 0),
  };
}

function distributionOf(values: Float32Array | Float64Array, weights: Float64Array): Distribution {
  const order = inOrder(values);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const known = order.reduce((sum, i) => sum + weights[i]!, 0);
  const edges: number[] = [];
  let since = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k]!;
    since += weights[i]!;
    const next = order[k + 1];
    // Digits last: they are slow, and few values come so far.
    if (next === undefined || since < known / BINS - 1e-9 || short(values[next]!) === short(values[i]!)) continue;
    edges.push(short(values[i]!));
    since = 0;
  }
  const counter = new Float64Array(edges.length + 2);
  for (let i = 0; i < values.length; i++) counter[binOf(edges, values[i]!)]! += weights[i]! / total;
  const [first, end] = [order[0], order.at(-1)];
  return {
    edges,
    shares: Array.from(counter, share => Number(share.toPrecision(5))),
    ...(first !== undefined && end !== undefined && { range: [short(values[first]!), short(values[end]!)] as const }),
  };
}

const sorter = new NumberSorter();

/** The places of values that are not missing, lowest value first. */
function inOrder(values: Float32Array | Float64Array): Uint32Array {
  const places = new Uint32Array(values.length);
  const known = new Float64Array(values.length);
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    places[n] = i;
    known[n++] = value + 0; // zeros are one, whatever their sign
  }
  return sorter
    .sort(known, n)
    .slice(0, n)
    .map(k => places[k]!);
}

/** The bin of a value; that of missing ones is the last. */
export function binOf(edges: readonly number[], value: number): number {
  if (Number.isNaN(value)) return edges.length + 1;
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= edges[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

function short(value: number): number {
  return Number(shortestFloat32(Math.fround(value)));
}
