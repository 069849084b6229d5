/** A linear model at altered weights: scores move by the step times the direction's own weighted sum. */
import type { FeatureBlock } from '../../data/dataset.js';
import { quote } from '../../errors.js';
import { addSteps, type Perturbation, roomFor } from '../perturbation.js';
import { addConstant, type LinearModel } from './linear.js';

export class LinearPerturbation implements Perturbation {
  readonly title = 'weights';
  readonly parameters: Float64Array;
  readonly #model: LinearModel;
  #block: FeatureBlock = { start: 0, rows: 0, stride: 0, data: new Float32Array(0) };
  #columns: Int32Array = new Int32Array(0);
  #absent = 0;
  #base: Float64Array = new Float64Array(0);
  #change: Float64Array = new Float64Array(0);

  constructor(model: LinearModel) {
    this.#model = model;
    this.parameters = model.weights;
  }

  describe(i: number): string {
    return `weight of feature ${quote(this.#model.featureNames[i]!)}`;
  }

  at(weights: Float64Array): LinearModel {
    return this.#model.with({ weights });
  }

  show(block: FeatureBlock, columns: Int32Array, absent: number): void {
    this.#block = block;
    this.#columns = columns;
    this.#absent = absent;
    this.#base = roomFor(this.#base, block.rows);
    this.#change = roomFor(this.#change, block.rows);
    this.#model.scoreBlock(block, columns, absent, this.#base);
  }

  alter(direction: Float64Array, steps: readonly number[], out: readonly Float64Array[]): void {
    this.#changeAlong(direction);
    addSteps(this.#base, this.#change, steps, this.#block.rows, out);
  }

  line(direction: Float64Array, start: Float64Array, slope: Float64Array): void {
    const { rows } = this.#block;
    this.#changeAlong(direction);
    start.set(this.#base.subarray(0, rows));
    slope.set(this.#change.subarray(0, rows));
  }

  #changeAlong(direction: Float64Array): void {
    const { rows, stride, data } = this.#block;
    const { mean, scale, missing } = this.#model;
    const change = this.#change;
    change.fill(0, 0, rows);
    for (let f = 0; f < direction.length; f++) {
      if (direction[f] === 0) continue;
      const column = this.#columns[f]!;
      if (column < 0) {
        const value = Number.isNaN(this.#absent) ? missing[f]! : this.#absent;
        addConstant(change, rows, direction[f]! * ((value - mean[f]!) / scale[f]!));
      } else {
        const values = data.subarray(column * stride, column * stride + rows);
        addColumn(change, values, direction[f]! / scale[f]!, mean[f]!, missing[f]!);
      }
    }
  }
}

/** The model's own sum divides every value by the scale; here, for many directions, the weight is divided once. */
function addColumn(out: Float64Array, values: Float32Array, weight: number, mean: number, missing: number): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    out[i]! += weight * ((Number.isNaN(value) ? missing : value) - mean);
  }
}
