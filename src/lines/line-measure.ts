/**
 * The mean of a measure along a line of scores, exactly: piecewise constant, with a breakpoint wherever two documents
 * of a query that matter cross. Between breakpoints it is what `evaluate` says, the mean over all orders of documents
 * that are equal all along. The same for any number of threads and any order of the rows of a query.
 */
import type { Dataset } from '../data/dataset.js';
import { toPortable } from '../data/portable.js';
import { shareOf } from '../data/share.js';
import { cutsFor } from '../kernels/line-bucket-memory.js';
import { LineBuckets, sliceArrays } from '../kernels/line-buckets.js';
import { crossingsOf } from '../kernels/line-units.js';
import { countedValue } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import type { Portable } from '../objectives/portable.js';
import { gatherNumbers, gatherValues, sumOf } from '../ranks/gathered.js';
import { alone, type Transport } from '../ranks/transport.js';
import type { Steps } from '../steps.js';
import { TaskCrew } from '../threads/task-crew.js';
import { countedForm } from './counted-form.js';
import { createLineMemory, type LineMemory } from './line-memory.js';
import { LineOrders } from './line-orders.js';
import { LinePeak } from './line-peak.js';
import { createSweep, LineSlices, type LineWork, SWEEP } from './line-slices.js';
import { mergeRuns, type Run } from './merge-runs.js';
import { joinedUpTo, PiecewiseConstant, type Plateau } from './piecewise.js';
import { type RankSlices, rankSlices } from './rank-slices.js';
import { extentsOf, type Span, spanOf } from './span.js';

export interface LineJob {
  /** Labels; its features are not looked at. */
  readonly data: Dataset;
  readonly measure: Measure;
  /** The measure for other threads; absent where there can be none. */
  readonly portable: Portable | undefined;
  readonly threads: number;
  /** Others that have more of the queries; none by default. */
  readonly ranks?: Transport | undefined;
}

interface LineParts {
  readonly slices: LineSlices;
  readonly memory: LineMemory;
  readonly crew: TaskCrew;
  /** Queries for which the measure is defined or counts something else, and the sum of the latter. */
  readonly counted: { readonly queries: number; readonly others: number };
}

/** Where most crossings are too near to the start for the kernel, the line is looked at again, so much nearer. */
const ZOOM = 64;
const ZOOMS = 3;

export class LineMeasure {
  readonly #data: Dataset;
  readonly #measure: Measure;
  readonly #parts: LineParts;
  readonly #ranks: Transport;
  readonly #buckets: { readonly kernel: LineBuckets; readonly peak: LinePeak; readonly slices: RankSlices } | undefined;
  readonly #orders: LineOrders | undefined;
  #all: [Run, Run] = [runOf(0), runOf(0)];

  private constructor({ data, measure, ranks = alone }: LineJob, parts: LineParts) {
    this.#data = data;
    this.#measure = measure;
    this.#ranks = ranks;
    this.#parts = parts;
    const { buckets, counts } = parts.memory;
    // All ranks look at lines in the same way.
    const known = gatherValues(ranks, buckets !== undefined);
    if (buckets === undefined || known.includes(false)) return;
    const slices = rankSlices(sliceArrays(buckets), counts, ranks, buckets);
    this.#orders = new LineOrders(buckets.firsts);
    this.#buckets = { kernel: new LineBuckets(buckets), peak: new LinePeak(slices, buckets), slices };
  }

  static async start(job: LineJob): Promise<LineMeasure> {
    const { data, measure, portable, threads, ranks = alone } = job;
    const form = countedForm(data, measure);
    const sweep = createSweep(data, measure, form);
    // The same for all ranks, and as if one had all queries.
    const crossings = form === undefined ? 0 : sumOf(ranks, crossingsOf({ ...form, offsets: data.offsets }));
    const cuts = cutsFor(crossings, sumOf(ranks, data.rows));
    const memory = createLineMemory({ data, measure, sweep, form, cuts });
    const others = portable === undefined ? 0 : Math.min(threads, memory.tasks.length) - 1;
    const work = (): LineWork => ({ memory, portable: portable!, data: toPortable(data, { features: false }) });
    const crew = TaskCrew.late(new URL('./line-slices.js', import.meta.url), others, work);
    const undefinedFor = sumOf(ranks, form?.norm.filter(Number.isNaN).length ?? 0);
    const { queries } = shareOf(data);
    const instead = countedValue(measure, Number.NaN);
    const counted = Number.isNaN(instead)
      ? { queries: queries - undefinedFor, others: 0 }
      : { queries, others: undefinedFor * measure.aggregate.of(instead) };
    return new LineMeasure(job, { slices: new LineSlices(sweep, memory), memory, crew, counted });
  }

  /** Scores at 0 and by how much each grows along the line, one a row: to be written before a line is looked at. */
  get start(): Float64Array {
    return this.#parts.memory.start;
  }

  get slope(): Float64Array {
    return this.#parts.memory.slope;
  }

  /** The mean where the line starts, with the ties there that it would break. The slope is 0 after. */
  *here(): Steps<number> {
    this.slope.fill(0);
    if (this.#buckets === undefined) return (yield* this.along()).first;
    this.#orders!.alike();
    this.#knowsFirsts(true);
    const { queries, others } = this.#parts.counted;
    const first = yield* this.#buckets.peak.first((kind, ...run) => this.#look(kind, run));
    return (first + others) / queries;
  }

  /** The mean of what queries count, before the measure's aggregate is finished. Good until the next line. */
  *along(): Steps<PiecewiseConstant> {
    const { crew, slices, memory } = this.#parts;
    yield* crew.steps((_, task) => slices.sweep(task), SWEEP, memory.tasks.length);
    let sum = 0;
    let queries = 0;
    for (const value of gatherNumbers(this.#ranks, memory.first)) {
      if (Number.isNaN(value)) continue;
      sum += value;
      queries++;
    }
    const merged = this.#merged();
    joinNear(merged.at, this.#span().least);
    for (let i = 0; i < merged.change.length; i++) merged.change[i]! /= queries;
    return new PiecewiseConstant(sum / queries, merged.at, merged.change);
  }

  /**
   * The best plateau of the line, by the mean, where that is above `least`. Lines of one name, such as the number of a
   * feature, have the same slopes.
   */
  *peak(least: number, name?: number): Steps<Plateau | undefined> {
    this.#knowsFirsts(name !== undefined && this.#orders?.recall(name) === true);
    const { queries, others } = this.#parts.counted;
    const span = this.#span();
    for (let k = 0; this.#buckets !== undefined && k < ZOOMS; k++) {
      const nearer = { ...span, typical: span.typical / ZOOM ** k };
      this.#buckets.kernel.span = nearer.typical;
      const work = (kind: number, ...run: readonly number[]) => this.#look(kind, run);
      const found = yield* this.#buckets.peak.above(least * queries - others, nearer, work);
      if (name !== undefined) this.#orders?.keep(name);
      if (found === undefined) return undefined;
      if (found !== 'unknown') return { ...found, value: (found.value + others) / queries };
    }
    const best = (yield* this.along()).best();
    return best.value > least ? best : undefined;
  }

  #knowsFirsts(known: boolean): void {
    if (this.#buckets !== undefined) this.#buckets.kernel.knowsFirsts = known;
  }

  #span(): Span {
    const { memory } = this.#parts;
    const extents = this.#buckets?.kernel.extents() ?? memory.slices.map(slice => extentsOf(this.#data, slice, memory));
    return spanOf(extents, this.#ranks);
  }

  /** Places from one to another; all of the line where they are left out. */
  *#look(kind: number, run: readonly number[]): Steps<void> {
    const { crew, slices, memory } = this.#parts;
    memory.run.set(run);
    yield* crew.shortSteps((_, task) => slices.run(kind, task), kind, memory.tasks.length);
    this.#buckets?.slices.bringTogether(kind, run);
  }

  /** The breakpoints of all slices of all ranks; to be used before the next line is. */
  #merged(): Run {
    const { at, change, counts: own } = this.#parts.memory;
    const found = own.reduce((sum, count) => sum + count, 0);
    const counts = gatherNumbers(this.#ranks, Float64Array.from(own));
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (this.#all[0].at.length < total) this.#all = [runOf(2 * total), runOf(2 * total)];
    const [all, scratch] = this.#all;
    let from = 0;
    for (const [s, count] of own.entries()) {
      all.at.set(at[s]!.subarray(0, count), from);
      all.change.set(change[s]!.subarray(0, count), from);
      from += count;
    }
    if (this.#ranks.size > 1) {
      for (const part of [all.at, all.change]) part.set(gatherNumbers(this.#ranks, part.slice(0, found)));
    }
    let end = 0;
    const ends = Array.from(counts, count => (end += count));
    const merged = mergeRuns(all, scratch, ends);
    return { at: merged.at.subarray(0, total), change: merged.change.subarray(0, total) };
  }

  /** From a mean to the value of the measure. */
  finish(mean: number): number {
    return this.#measure.aggregate.finish(mean);
  }

  close(): Promise<void> {
    return this.#parts.crew.close();
  }
}

function runOf(length: number): Run {
  return { at: new Float64Array(length), change: new Float64Array(length) };
}

function joinNear(at: Float64Array, span: number): void {
  let from = Number.NaN;
  let joined = Number.NaN;
  for (let i = 0; i < at.length; i++) {
    if (at[i]! <= joined) at[i] = from;
    else {
      from = at[i]!;
      joined = joinedUpTo(from, span);
    }
  }
}
