/** What a model is evaluated by after an iteration: the measures that select, and others that are only logged. */
import type { Criterion } from '../measures/criterion.js';
import type { Measure } from '../measures/measure.js';
import type { AskedMeasure } from '../measures/parse.js';
import type { IterationRecord } from './iteration-record.js';

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

  /** What the log says of the values, one for each measure; nothing of an iteration that was not evaluated. */
  record(values: readonly number[]): Pick<IterationRecord, 'validation' | 'measures'> {
    const validation = values.slice(0, this.selecting);
    if (this.#others.length === 0 || values.length === 0) return { validation };
    const found = ({ spec }: Measure) => values[this.all.findIndex(measure => measure.spec === spec)]!;
    const measures = this.#others.map(({ asked, measure }) => [asked, found(measure)]);
    return { validation, measures: Object.fromEntries(measures) };
  }
}
