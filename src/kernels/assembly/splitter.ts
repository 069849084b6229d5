// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Histograms of nodes, from what threads have added up, and the best split of each feature. In one call for many
// columns: calls from JavaScript for each of them take their time, and far more of it until they are compiled.

import { cellsOfFeature, subtractColumn } from './common/cells';
import { bestBounded, bestLevels, bestSplit, setBounds } from './common/splits';
import { takeColumn } from './common/thread-cells';
import {
  BINS, COLUMN_BYTES, COLUMN_FEATURES_BYTES, ColumnFeatures, Feature, FEATURE_BYTES, Side, SIDE_BYTES, Split, SPLIT_BYTES,
} from './layouts/boosting';

export { setBounds, setLimits, setUnits } from './common/splits';
export { setThreads, takeColumn } from './common/thread-cells';

let columns: usize = 0;
let features: usize = 0;
let places: usize = 0;
let commonest: usize = 0;
let counts: usize = 0;

/** Where records of columns and features are, and by column: its place, its commonest byte, documents by bin. */
export function setColumns(ofColumns: usize, ofFeatures: usize, placesAt: usize, commonestAt: usize, countsAt: usize): void {
  columns = ofColumns;
  features = ofFeatures;
  places = placesAt;
  commonest = commonestAt;
  counts = countsAt;
}

let allFeatures: usize = 0;
let masks: usize = 0;
let draws: usize = 0;
let splits: usize = 0;

/**
 * Where to find, for so many features on each side, whether they may be split by and what is drawn for them, and where
 * their best splits go.
 */
export function setSplits(count: i32, masksAt: usize, drawsAt: usize, splitsAt: usize): void {
  allFeatures = <usize>count;
  masks = masksAt;
  draws = drawsAt;
  splits = splitsAt;
}

let leastDocuments: i32 = 0;
let leastHessian: f64 = 0;
let leastGain: f64 = 0;
let isRandom: i32 = 0;
let isMonotone: i32 = 0;

/** What splits must keep to: documents and hessian of a side, the gain; one threshold drawn at random; constraints. */
export function setLeast(documents: i32, hessian: f64, gain: f64, random: i32, monotone: i32): void {
  leastDocuments = documents;
  leastHessian = hessian;
  leastGain = gain;
  isRandom = random;
  isMonotone = monotone;
}

let leastLevel: i32 = 0;
let levelSmoothing: f64 = 0;
let oneHotLevels: i32 = 0;

/** What splits by categories keep to. */
export function setLevels(least: i32, smoothing: f64, oneHot: i32): void {
  leastLevel = least;
  levelSmoothing = smoothing;
  oneHotLevels = oneHot;
}

@inline function columnAt(column: i32): ColumnFeatures {
  return changetype<ColumnFeatures>(columns + <usize>column * COLUMN_FEATURES_BYTES);
}

/**
 * The histogram of a column from what all threads have added up, of all rows if `whole`. Of the first `filled` places,
 * what the commonest byte's cell holds follows from the rest.
 */
@inline function take(histogram: usize, column: i32, whole: i32, filled: i32): void {
  const place = load<i32>(places + (<usize>column << 2));
  takeColumn(
    histogram + <usize>column * COLUMN_BYTES,
    place,
    columnAt(column).cells,
    whole ? counts + <usize>column * (4 * BINS) : 0,
    place < filled ? <i32>load<u8>(commonest + <usize>column) : -1,
  );
}

/** The histograms of columns. */
export function takeColumns(histogram: usize, first: i32, last: i32, whole: i32, filled: i32): void {
  for (let column = first; column < last; column++) take(histogram, column, whole, filled);
}

/** The best feature of each side so far. */
let gain0: f64 = 0;
let gain1: f64 = 0;
let best0: i32 = -1;
let best1: i32 = -1;

/**
 * Best splits of the features of some columns, of one side or two. The first one's histogram is taken from what threads
 * have added up, as `takeColumns` does, unless it is `summed` already; the second one's is its parent's so far. Column
 * by column, so that cells are still near when they are scanned.
 */
export function splitColumns(
  sides: usize, two: i32, first: i32, last: i32, summed: i32, whole: i32, filled: i32, scratch: usize,
): void {
  gain0 = 0;
  gain1 = 0;
  best0 = -1;
  best1 = -1;
  const one = changetype<Side>(sides);
  const other = changetype<Side>(sides + SIDE_BYTES);
  for (let column = first; column < last; column++) {
    const own = columnAt(column);
    const from = <usize>column * COLUMN_BYTES;
    if (!summed) take(one.histogram, column, whole, filled);
    if (two) subtractColumn(other.histogram + from, one.histogram + from, own.cells);
    const end = features + <usize>(own.first + own.count) * FEATURE_BYTES;
    for (let feature = features + <usize>own.first * FEATURE_BYTES; feature < end; feature += FEATURE_BYTES) {
      splitFeature(changetype<Feature>(feature), one, 0, own.count, one.histogram + from, scratch);
      if (two) splitFeature(changetype<Feature>(feature), other, 1, own.count, other.histogram + from, scratch);
    }
  }
}

/** The best split of a side by a category of so many levels, whose cells are given; those that go left to `set`. */
export function splitLevels(side: usize, cells: usize, levels: i32, out: usize, set: usize, scratch: usize): void {
  const own = changetype<Side>(side);
  bestLevels(
    cells, levels, out, set, scratch, own.lambda, own.hessian, own.documents, own.step, leastDocuments, leastHessian, leastGain,
    leastLevel, levelSmoothing, oneHotLevels,
  );
}

/** The best split of a feature, one of `sharing` in the column whose cells are given. */
function splitFeature(feature: Feature, side: Side, number: i32, sharing: u32, cells: usize, scratch: usize): void {
  const at = <usize>number * allFeatures + <usize>feature.number;
  const out = splits + at * SPLIT_BYTES;
  if (!load<u8>(masks + at) || <i32>side.documents < 2 * leastDocuments) {
    changetype<Split>(out).gain = 0;
    return;
  }
  if (sharing > 1) {
    cellsOfFeature(cells, feature.step, feature.states, scratch);
    cells = scratch;
  }
  const lambda = side.lambda;
  const hessian = side.hessian;
  const documents = side.documents;
  if (isMonotone) setBounds(side.least, side.most);
  if (feature.levels) {
    splitLevels(changetype<usize>(side), cells, feature.levels, out, <usize>(feature.sets + <u32>number * feature.setBytes), scratch + COLUMN_BYTES);
    return;
  }
  const missing = <i32>feature.states - 1;
  if (isMonotone) {
    bestBounded(
      cells, feature.bins, missing, out, lambda, hessian, documents, leastDocuments, leastHessian, leastGain, feature.direction,
    );
    return;
  }
  const beaten = number ? gain1 : gain0;
  const before = number ? best1 : best0;
  bestSplit(
    cells, feature.bins, missing, out, lambda, hessian, documents, side.step, isRandom, isRandom ? load<u32>(draws + (at << 2)) : 0,
    leastDocuments, leastHessian, leastGain, beaten, i32(<i32>feature.number < before),
  );
  const gain = changetype<Split>(out).gain;
  if (gain <= 0) return;
  if (number) {
    gain1 = gain;
    best1 = feature.number;
  } else {
    gain0 = gain;
    best0 = feature.number;
  }
}
