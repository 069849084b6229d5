/**
 * What the threads of a structural SVM do: most violated rankings of some queries, sums of one feature. And their
 * module.
 */
import type { Part } from '../../data/parts.js';
import { fromPortable, type PortableDataset } from '../../data/portable.js';
import { atOnce, type Steps } from '../../steps.js';
import type { Service } from '../../threads/crew.js';
import type { StepRunner } from '../../threads/task-board.js';
import type { Standardisation } from '../descent/standardise.js';
import { SeenData } from '../linear/seen-data.js';
import { type LossOptions, lossOf } from './losses.js';

/** In memory that threads share. */
export interface SvmMemory {
  readonly parts: readonly Part[];
  /** By row: scores, those of the model before (zero at first), and the coefficients of the plane. */
  readonly scores: Float64Array;
  readonly before: Float64Array;
  readonly coefficients: Float64Array;
  /** By query: its weight, and its loss times that; NaN where no ranking can be wrong. */
  readonly weights: Float64Array;
  readonly losses: Float64Array;
  /** By feature: sum over documents of coefficient times value; added to what is there. */
  readonly psi: Float64Array;
}

export interface SvmWork {
  readonly data: PortableDataset;
  readonly seed: number;
  readonly standardisation: Standardisation;
  readonly labels: string;
  readonly loss: LossOptions;
  readonly memory: SvmMemory;
}

export const taskKinds = ['violate', 'gather'] as const;
export type TaskKind = (typeof taskKinds)[number];

export function serve({ data, seed, standardisation, labels, loss, memory }: SvmWork): Service {
  const run = svmTasks(new SeenData(fromPortable(data), seed, standardisation), labels, loss, memory);
  return { tasks: (kind, task) => atOnce(run(kind, task)) };
}

export function svmTasks(seen: SeenData, source: string, loss: LossOptions, memory: SvmMemory): StepRunner {
  const { offsets } = seen.labels;
  const labels = seen.labels.label(source);
  const { find } = lossOf(loss);
  const column = new Float64Array(seen.rows);
  const { parts, scores, before, coefficients, weights, losses, psi } = memory;
  const tasks: Readonly<Record<TaskKind, (task: number) => Steps<void>>> = {
    *violate(part) {
      const { firstQuery, lastQuery } = parts[part]!;
      for (let q = firstQuery; q < lastQuery; q++) {
        const [from, to] = [offsets[q]!, offsets[q + 1]!];
        const own = (values: Float64Array) => values.subarray(from, to);
        const found = weights[q] === 0 ? undefined : yield* find(own(scores), own(labels), own(before));
        losses[q] = found === undefined ? Number.NaN : weights[q]! * found.loss;
        for (let i = from; i < to; i++) coefficients[i] = found ? weights[q]! * found.coefficients[i - from]! : 0;
      }
      yield 1;
    },
    *gather(feature) {
      seen.column(feature, column);
      let sum = psi[feature]!;
      for (let i = 0; i < column.length; i++) sum += coefficients[i]! * column[i]!;
      psi[feature] = sum;
      yield 1;
    },
  };
  return (kind: number, task: number) => tasks[taskKinds[kind]!](task);
}
