/** What the threads that look at a line share. */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import { longestQuery } from '../data/longest-query.js';
import { type Part, partsOf, partsWithin } from '../data/parts.js';
import { roomFor } from '../data/room-for.js';
import { type BucketMemory, createBucketMemory, type LineCuts } from '../kernels/line-bucket-memory.js';
import { arithmeticMean, type Measure } from '../measures/measure.js';
import type { CountedForm } from './counted-form.js';
import type { Line, Sweep } from './sweep.js';

/** A slice of several queries has at most this many documents, whatever the number of threads. */
const SLICE_ROWS = 1024;

export interface LineMemory extends Line {
  readonly slices: readonly Part[];
  /** Slices that are looked at in one go: up to where each task goes. */
  readonly tasks: readonly number[];
  /** By query: what it counts below all crossings; NaN where it does not count. */
  readonly first: Float64Array;
  /** By slice. */
  readonly at: readonly Float64Array[];
  readonly change: readonly Float64Array[];
  readonly counts: Int32Array;
  /** Of the kernel, for measures that it knows. */
  readonly buckets: BucketMemory | undefined;
  /** The places to look at: from, and up to. */
  readonly run: Int32Array;
}

interface LineMemoryJob {
  readonly data: Dataset;
  readonly measure: Measure;
  readonly sweep: Sweep;
  readonly form: CountedForm | undefined;
  /** For the kernel. */
  readonly cuts: LineCuts;
}

export function createLineMemory({ data, measure, sweep, form, cuts }: LineMemoryJob): LineMemory {
  const { offsets, queries, rows } = data;
  // Within parts, which never span ranks: slices are the same for any number of these.
  const slices = partsOf(data).flatMap(part => partsWithin(data, part, SLICE_ROWS));
  const most = slices.map(({ firstQuery, lastQuery }) => {
    let sum = 0;
    for (let q = firstQuery; q < lastQuery; q++) sum += sweep.most(q);
    return sum;
  });
  const known = form !== undefined && measure.aggregate === arithmeticMean && form.gain.every(gain => gain >= 0);
  const buckets = known ? createBucketMemory({ ...form, offsets }, slices, cuts) : undefined;
  return {
    slices,
    tasks: tasksOf(slices),
    start: buckets?.start ?? sharedFloat64(rows),
    slope: buckets?.slope ?? sharedFloat64(rows),
    first: sharedFloat64(queries),
    ...crossingsOf(most, data),
    counts: new Int32Array(new SharedArrayBuffer(4 * slices.length)),
    buckets,
    run: new Int32Array(new SharedArrayBuffer(8)),
  };
}

/** Of every crossing the place and the change. */
function crossingsOf(most: readonly number[], data: Dataset): Pick<LineMemory, 'at' | 'change'> {
  const all = most.reduce((sum, own) => sum + own, 0);
  // One memory for all slices: what is not used, as where the kernel knows the measure, then costs nothing.
  const sliced = () => {
    const memory = sharedFloat64(all);
    let end = 0;
    return most.map(own => memory.subarray(end, (end += own)));
  };
  return roomFor(() => ({ at: sliced(), change: sliced() }), {
    what: 'exact lines have room for every crossing of two documents',
    numbers: all,
    bytes: 16,
    documents: longestQuery(data),
    instead: 'another model: what linear, net and trees hold grows with the documents alone',
  });
}

/** Slices side by side, of about as many documents as one may have. */
function tasksOf(slices: readonly Part[]): number[] {
  const tasks: number[] = [];
  let firstRow = 0;
  for (const [s, { lastRow }] of slices.entries()) {
    if (tasks.length > 0 && lastRow - firstRow <= SLICE_ROWS) tasks[tasks.length - 1] = s + 1;
    else {
      tasks.push(s + 1);
      firstRow = slices[s]!.firstRow;
    }
  }
  return tasks;
}
