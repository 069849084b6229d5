/**
 * What a model is judged by on the selecting data after an iteration: the measures that select, and others that are
 * only told.
 */
import type { Criterion } from '../measures/criterion.js';
import type { Measure } from '../measures/measure.js';
import type { AskedMeasure } from '../measures/parse.js';
import type { IterationRecord } from './trainer.js';

export class EvaluatedMeasures {
  /** Each once, the selecting ones first. */
  readonly all: readonly Measure[];
  /** How many of them select. */
  readonly selecting: number;
  readonly #others: readonly AskedMeasure[];

  constructor(select: Criterion, others: readonly AskedMeasure[]) {
    const bySpec = new Map([...select.measures, ...others.map(({ measure }) => measure)].map(one => [one.spec, one]));
    this.all = [...bySpec.values()];
    this.selecting = select.measures.length;
    this.#others = others;
  }

  /** What the log says of figures, one for each measure; nothing of an iteration that was not judged. */
  record(figures: readonly number[]): Pick<IterationRecord, 'validation' | 'measures'> {
    const validation = figures.slice(0, this.selecting);
    if (this.#others.length === 0 || figures.length === 0) return { validation };
    const figureOf = ({ spec }: Measure) => figures[this.all.findIndex(measure => measure.spec === spec)]!;
    const measures = this.#others.map(({ asked, measure }) => [asked, figureOf(measure)]);
    return { validation, measures: Object.fromEntries(measures) };
  }
}
