/** A net at altered parameters, by the dense kernel in float32: scores agree to about 1e-6 of the largest. */
import type { FeatureBlock } from '../../data/dataset.js';
import { quote } from '../../errors.js';
import { AlteredDense } from '../../kernels/altered-dense.js';
import { padded } from '../../kernels/net-shape.js';
import type { Perturbation } from '../perturbation.js';
import type { NetModel } from './net.js';

export class NetPerturbation implements Perturbation {
  readonly title = 'weights';
  readonly parameters: Float64Array;
  readonly #model: NetModel;
  #kernel: AlteredDense | undefined;
  #rows = 0;

  constructor(model: NetModel) {
    this.#model = model;
    // The last parameter is the bias of the score.
    this.parameters = model.parameters.subarray(0, -1);
  }

  describe(i: number): string {
    const { layers, featureNames } = this.#model;
    const l = layers.findLastIndex(({ weights }) => weights <= i);
    const { inputs, weights, bias } = layers[l]!;
    const unit = (layer: number, u: number) =>
      layer === layers.length - 1 ? 'the score' : `unit ${layer + 1}.${u + 1}`;
    if (i >= bias) return `bias of ${unit(l, i - bias)}`;
    const input = (i - weights) % inputs;
    const from = l === 0 ? `feature ${quote(featureNames[input]!)}` : unit(l - 1, input);
    return `weight of ${from} in ${unit(l, Math.floor((i - weights) / inputs))}`;
  }

  at(values: Float64Array): NetModel {
    return this.#model.with({ parameters: [...values, this.#model.parameters.at(-1)!] });
  }

  show(block: FeatureBlock, columns: Int32Array, absent: number): void {
    const { shape, mean, scale, parameters } = this.#model;
    if (this.#kernel === undefined || this.#kernel.capacity < block.rows) {
      this.#kernel = new AlteredDense(shape, padded(block.rows));
    }
    const kernel = this.#kernel;
    const stride = padded(shape.inputs);
    for (let f = 0; f < columns.length; f++) {
      const column = columns[f]!;
      const from = column * block.stride;
      for (let i = 0; i < block.rows; i++) {
        const value = column < 0 ? absent : block.data[from + i]!;
        kernel.rows[i * stride + f] = Number.isNaN(value) ? 0 : (value - mean[f]!) / scale[f]!;
      }
    }
    this.#rows = block.rows;
    kernel.show(parameters, block.rows);
  }

  alter(direction: Float64Array, steps: readonly number[], out: readonly Float64Array[]): void {
    const kernel = this.#kernel!;
    const rows = this.#rows;
    kernel.aim(direction, rows);
    for (const [k, step] of steps.entries()) {
      kernel.step(step, rows);
      const scores = out[k]!;
      for (let i = 0; i < rows; i++) scores[i] = kernel.scores[i]!;
    }
  }
}
