/**
 * The mean of a measure along a line of scores, exactly: piecewise constant, with a breakpoint wherever two documents
 * of a query that matter cross. Between breakpoints it is what `evaluate` says, the mean over all orders of documents
 * that are equal all along. The same for any number of threads and any order of the rows of a query.
 */
import { type Dataset, sharedFloat64 } from '../data/dataset.js';
import { partsOf } from '../data/parts.js';
import { toPortable } from '../data/portable.js';
import type { Measure } from '../measures/measure.js';
import type { Portable } from '../objectives/portable.js';
import type { Steps } from '../steps.js';
import { TaskCrew } from '../threads/task-crew.js';
import { createSweep, type LineMemory, LineSlices, type LineWork } from './line-slices.js';
import { mergeRuns, type Run } from './merge-runs.js';
import { PiecewiseConstant } from './piecewise.js';
import type { Line, Sweep } from './sweep.js';

/** A slice of several queries has at most this many documents, whatever the number of threads. */
const SLICE_ROWS = 1024;

export interface LineJob {
  /** Labels; its features are not looked at. */
  readonly data: Dataset;
  readonly measure: Measure;
  /** The measure for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly threads: number;
}

export class LineMeasure {
  readonly #measure: Measure;
  readonly #slices: LineSlices;
  readonly #memory: LineMemory;
  readonly #crew: TaskCrew;
  #all: [Run, Run] = [runOf(0), runOf(0)];

  private constructor(measure: Measure, slices: LineSlices, memory: LineMemory, crew: TaskCrew) {
    this.#measure = measure;
    this.#slices = slices;
    this.#memory = memory;
    this.#crew = crew;
  }

  static async start({ data, measure, portable, threads }: LineJob): Promise<LineMeasure> {
    const sweep = createSweep(data, measure);
    const memory = createMemory(data, sweep);
    const others = portable === undefined ? 0 : Math.min(threads, memory.slices.length) - 1;
    const works = Array.from(
      { length: others },
      (): LineWork => ({ memory, portable: portable!, data: toPortable(data, { features: false }) }),
    );
    const crew = await TaskCrew.start(new URL('./line-slices.js', import.meta.url), works);
    return new LineMeasure(measure, new LineSlices(sweep, memory), memory, crew);
  }

  /** Scores at 0 and by how much each grows along the line, one a row: to be written before `along`. */
  get start(): Float64Array {
    return this.#memory.start;
  }

  get slope(): Float64Array {
    return this.#memory.slope;
  }

  /** The mean where the line starts, with the ties there that it would break. The slope is 0 after. */
  *here(): Steps<number> {
    this.slope.fill(0);
    return (yield* this.along()).first;
  }

  /** The mean of what queries count, before the measure's aggregate is finished. Good until the next line. */
  *along(): Steps<PiecewiseConstant> {
    const { first, counts } = this.#memory;
    const work = this.#slices;
    yield* this.#crew.steps(
      function* (_, slice) {
        work.run(slice);
        yield 1;
      },
      0,
      counts.length,
    );
    let sum = 0;
    let queries = 0;
    for (const value of first) {
      if (Number.isNaN(value)) continue;
      sum += value;
      queries++;
    }
    const merged = this.#merged();
    joinNear(merged.at, spanOf(this.#memory));
    for (let i = 0; i < merged.change.length; i++) merged.change[i]! /= queries;
    return new PiecewiseConstant(sum / queries, merged.at, merged.change);
  }

  /** The breakpoints of all slices; to be used before the next line is. */
  #merged(): Run {
    const { at, change, counts } = this.#memory;
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (this.#all[0].at.length < total) this.#all = [runOf(2 * total), runOf(2 * total)];
    const [all, scratch] = this.#all;
    const ends: number[] = [];
    for (const [s, count] of counts.entries()) {
      const from = ends.at(-1) ?? 0;
      all.at.set(at[s]!.subarray(0, count), from);
      all.change.set(change[s]!.subarray(0, count), from);
      ends.push(from + count);
    }
    const merged = mergeRuns(all, scratch, ends);
    return { at: merged.at.subarray(0, total), change: merged.change.subarray(0, total) };
  }

  /** From a mean to the value of the measure. */
  finish(mean: number): number {
    return this.#measure.aggregate.finish(mean);
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

function runOf(length: number): Run {
  return { at: new Float64Array(length), change: new Float64Array(length) };
}

/** A share of a line's span: breakpoints that are as near are one, which rounding has torn apart. */
const TOGETHER = 1e-11;

function joinNear(at: Float64Array, span: number): void {
  let from = Number.NaN;
  let last = Number.NaN;
  for (let i = 0; i < at.length; i++) {
    if (at[i]! <= last) at[i] = from;
    else {
      from = at[i]!;
      last = from + TOGETHER * (Math.abs(from) + span);
    }
  }
}

/** How far a step is that moves scores by as much as there is. */
function spanOf({ start, slope }: Line): number {
  let [score, growth] = [0, 0];
  for (let i = 0; i < start.length; i++) {
    score = Math.max(score, Math.abs(start[i]!));
    growth = Math.max(growth, Math.abs(slope[i]!));
  }
  return growth > 0 ? score / growth : 0;
}

function createMemory(data: Dataset, sweep: Sweep): LineMemory {
  const { queries, rows } = data;
  const slices = partsOf(data, SLICE_ROWS);
  const most = slices.map(({ firstQuery, lastQuery }) => {
    let sum = 0;
    for (let q = firstQuery; q < lastQuery; q++) sum += sweep.most(q);
    return sum;
  });
  return {
    slices,
    start: sharedFloat64(rows),
    slope: sharedFloat64(rows),
    first: sharedFloat64(queries),
    at: most.map(sharedFloat64),
    change: most.map(sharedFloat64),
    counts: new Uint32Array(new SharedArrayBuffer(4 * slices.length)),
  };
}
