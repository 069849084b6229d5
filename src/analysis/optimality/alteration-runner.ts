/** The work of one thread: evaluates data at altered parameters, some directions at a time. */
import type { Dataset, FeatureBlock } from '../../data/dataset.js';
import { CountedValues } from '../../lines/counted-values.js';
import { countedValue, evaluateQuery } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { DatasetView, type Ties } from '../../measures/query-view.js';
import type { Perturbation } from '../../models/perturbation.js';
import { LOOKS_A_STEP, type Steps } from '../../steps.js';
import { randomDirection, singleDirection } from './directions.js';

/** What is to be altered and where the values go, in memory that threads share. */
export interface AlterationJob {
  readonly columns: Int32Array;
  readonly absent: number;
  readonly ties: Ties;
  readonly seed: number;
  /** Length of a direction: steps are multiples of it. */
  readonly length: number;
  /** Directions that a task takes: what depends on the documents alone is computed once for all of them. */
  readonly batch: number;
  readonly kinds: Readonly<Record<AlterationKind, KindJob>>;
}

export const alterationKinds = ['random', 'single'] as const;
export type AlterationKind = (typeof alterationKinds)[number];

export interface KindJob {
  /** Numbers of the directions, or of the parameters that are altered one at a time. */
  readonly numbers: Uint32Array;
  readonly steps: readonly number[];
  /** [direction][step][measure] */
  readonly values: Float64Array;
}

/** Rows whose altered scores are evaluated before the next are taken: few enough for the cache. */
const CHUNK_ROWS = 2048;

/** Whole queries from `first` on, and their rows. */
interface Chunk {
  readonly first: number;
  readonly end: number;
  readonly block: FeatureBlock;
}

export class AlterationRunner {
  readonly #perturbation: Perturbation;
  readonly #measures: readonly Measure[];
  readonly #job: AlterationJob;
  readonly #view: DatasetView;
  readonly #chunks: readonly Chunk[];
  readonly #longest: number;
  /** By measure; absent where each query is ranked. */
  readonly #counted: readonly (CountedValues | undefined)[];
  #scores: Float64Array[] = [];

  constructor(perturbation: Perturbation, data: Dataset, measures: readonly Measure[], job: AlterationJob) {
    this.#perturbation = perturbation;
    this.#measures = measures;
    this.#job = job;
    this.#view = new DatasetView(data, job.ties, { remember: true });
    this.#chunks = cutChunks(data);
    this.#longest = Math.max(0, ...this.#chunks.map(({ block }) => block.rows));
    const most = Math.max(0, ...this.#chunks.map(({ first, end }) => end - first));
    this.#counted = measures.map(measure =>
      job.ties === 'expected' ? CountedValues.of(data, measure, this.#longest, most) : undefined,
    );
  }

  /** Values of the measures without alteration, by the same arithmetic as those with. */
  *base(): Steps<number[]> {
    const size = this.#perturbation.parameters.length;
    const values = new Float64Array(this.#measures.length);
    yield* this.#evaluate([new Float64Array(size)], [0], values);
    return [...values];
  }

  /** Task number `task` of the kind: a batch of its directions. */
  *run(kind: AlterationKind, task: number): Steps<void> {
    const { batch, seed, length, kinds } = this.#job;
    const { numbers, steps, values } = kinds[kind];
    const size = this.#perturbation.parameters.length;
    const from = task * batch;
    const own = numbers.subarray(from, from + batch);
    const directions = Array.from(own, number =>
      kind === 'random' ? randomDirection(seed, number, size, length) : singleDirection(number, size, length),
    );
    const width = steps.length * this.#measures.length;
    yield* this.#evaluate(directions, steps, values.subarray(from * width, (from + own.length) * width));
  }

  /** values[direction][step][measure]; queries are added in their order, whatever the chunks and threads. */
  *#evaluate(directions: readonly Float64Array[], steps: readonly number[], values: Float64Array): Steps<void> {
    const measures = this.#measures;
    const counts = new Uint32Array(values.length);
    values.fill(0);
    let looks = 0;
    while (this.#scores.length < steps.length) this.#scores.push(new Float64Array(this.#longest));
    for (const [c, chunk] of this.#chunks.entries()) {
      const { first, end, block } = chunk;
      this.#perturbation.show(block, this.#job.columns, this.#job.absent);
      for (const counted of this.#counted) counted?.show(first, end);
      for (const [d, direction] of directions.entries()) {
        this.#perturbation.alter(direction, steps, this.#scores);
        for (let m = 0; m < measures.length; m++) {
          for (let k = 0; k < steps.length; k++) {
            this.#addQueries(m, this.#scores[k]!, chunk, values, counts, (d * steps.length + k) * measures.length + m);
            looks += block.rows;
            if (looks < LOOKS_A_STEP) continue;
            looks = 0; // one query may be long
            yield (c + d / directions.length) / this.#chunks.length;
          }
        }
        yield (c + (d + 1) / directions.length) / this.#chunks.length;
      }
    }
    for (let i = 0; i < values.length; i++) {
      values[i] = measures[i % measures.length]!.aggregate.finish(values[i]! / counts[i]!);
    }
  }

  /** Adds what the queries of a chunk count at these scores to sums[at]. */
  #addQueries(
    m: number,
    scores: Float64Array,
    { first, end, block }: Chunk,
    sums: Float64Array,
    counts: Uint32Array,
    at: number,
  ): void {
    const measure = this.#measures[m]!;
    const values = this.#counted[m]?.at(scores);
    for (let q = first; q < end; q++) {
      const found = values === undefined ? this.#ranked(measure, q, scores, block.start) : values[q - first]!;
      const value = countedValue(measure, found);
      if (Number.isNaN(value)) continue;
      sums[at]! += measure.aggregate.of(value);
      counts[at]!++;
    }
  }

  #ranked(measure: Measure, q: number, scores: Float64Array, start: number): number {
    return evaluateQuery(measure, this.#view.moveTo(q, scores, start));
  }
}

function cutChunks({ blocks, offsets, queries }: Dataset): Chunk[] {
  const chunks: Chunk[] = [];
  let q = 0;
  for (const block of blocks) {
    const last = block.start + block.rows;
    while (q < queries && offsets[q]! < last) {
      const first = q;
      const start = offsets[first]!;
      do q++;
      while (q < queries && offsets[q + 1]! <= Math.min(last, start + CHUNK_ROWS));
      const data = block.data.subarray(start - block.start);
      chunks.push({ first, end: q, block: { start, rows: offsets[q]! - start, stride: block.stride, data } });
    }
  }
  return chunks;
}
