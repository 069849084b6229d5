/** The work of one thread: looks at lines exactly, one after the other. */
import type { Dataset } from '../../data/dataset.js';
import type { LineMeasure } from '../../lines/line-measure.js';
import { middle } from '../../lines/piecewise.js';
import type { Perturbation } from '../../models/perturbation.js';
import type { Steps } from '../../steps.js';
import { randomDirection, singleDirection } from './directions.js';

/** Perturbations of models whose scores are linear in their parameters. */
export type LinearPerturbation = Perturbation & Required<Pick<Perturbation, 'line'>>;

/** What lines there are and where the answers go, in memory that threads share. */
export interface LinesJob {
  readonly columns: Int32Array;
  readonly absent: number;
  readonly seed: number;
  /** Of a direction. */
  readonly length: number;
  /** Of each line FIELDS numbers; first the parameters by themselves, then random directions. */
  readonly found: Float64Array;
}

/** From, to, gain and step. */
export const FIELDS = 4;

/** Breakpoints beyond this many lengths come from slopes that differ by rounding alone. */
const FAR = 1e9;
/** Smaller gains are rounding. */
const ROUNDING = 1e-11;

export class ExactLines {
  readonly #line: LineMeasure;
  readonly #perturbation: LinearPerturbation;
  readonly #data: Dataset;
  readonly #job: LinesJob;
  #shown: Dataset['blocks'][number] | undefined;

  constructor(line: LineMeasure, perturbation: LinearPerturbation, data: Dataset, job: LinesJob) {
    this.#line = line;
    this.#perturbation = perturbation;
    this.#data = data;
    this.#job = job;
  }

  /** The mean without a step. */
  here(): Steps<number> {
    this.#show(new Float64Array(this.#perturbation.parameters.length));
    return this.#line.here();
  }

  /** Line number `task`, where there is `here` without a step. */
  *look(task: number, here: number): Steps<void> {
    const { seed, length, found } = this.#job;
    const size = this.#perturbation.parameters.length;
    this.#show(task < size ? singleDirection(task, size, length) : randomDirection(seed, task - size, size, length));
    const values = yield* this.#line.along();
    const best = values.best();
    const { from, to } = values.withoutRise(0, here);
    const gain = this.#line.finish(best.value) - this.#line.finish(here);
    const rises = gain > ROUNDING;
    found.set(
      [from < -FAR ? -Infinity : from, to > FAR ? Infinity : to, rises ? gain : 0, rises ? middle(best) : 0],
      FIELDS * task,
    );
  }

  #show(direction: Float64Array): void {
    const { start, slope } = this.#line;
    for (const block of this.#data.blocks) {
      const end = block.start + block.rows;
      // What does not depend on the direction stays, where all documents are in one block.
      if (this.#shown !== block) this.#perturbation.show(block, this.#job.columns, this.#job.absent);
      this.#shown = block;
      this.#perturbation.line(direction, start.subarray(block.start, end), slope.subarray(block.start, end));
    }
  }
}
