/**
 * A dense net over a shared memory: forward and backward of some rows. Each thread has one, with scratch of its own.
 */
import { loadKernel } from './load.js';
import { activations, type NetShape, type PaddedLayout, padded, paddedLayout } from './net-shape.js';

interface Exports extends WebAssembly.Exports {
  activate(values: number, bytes: number, kind: number): void;
  hidden(rows: number, n: number, inputs: number, units: number, weights: number, bias: number, out: number): void;
  output(rows: number, n: number, inputs: number, weights: number, bias: number, out: number): void;
  outputBack(rows: number, n: number, inputs: number, lambda: number, weights: number, bias: number): void;
  outputDelta(
    values: number,
    n: number,
    units: number,
    weights: number,
    lambda: number,
    kind: number,
    delta: number,
  ): void;
  hiddenBack(
    rows: number,
    n: number,
    inputs: number,
    units: number,
    delta: number,
    weights: number,
    bias: number,
  ): void;
  hiddenDelta(
    values: number,
    n: number,
    inputs: number,
    units: number,
    weights: number,
    delta: number,
    kind: number,
    below: number,
  ): void;
}

/** A hidden layer's scratch: addresses of its values and deltas, [row][padded unit], and of the list of its rows. */
interface Scratch {
  readonly values: number;
  readonly delta: number;
  readonly rows: number;
}

export class DenseKernel {
  readonly layout: PaddedLayout;
  readonly #kernel: Exports;
  readonly #kind: number;
  readonly #scratch: Scratch[] = [];

  /** `scratch` is the address of `scratchBytes` bytes that nobody else uses; at most `capacity` rows go at once. */
  constructor(memory: WebAssembly.Memory, shape: NetShape, scratch: number, capacity: number) {
    this.layout = paddedLayout(shape);
    this.#kernel = loadKernel<Exports>('dense', memory);
    this.#kind = activations.indexOf(shape.activation);
    let at = scratch;
    for (const units of shape.hidden) {
      const bytes = 4 * padded(units) * capacity;
      this.#scratch.push({ values: at, delta: at + bytes, rows: at + 2 * bytes });
      const list = new Uint32Array(memory.buffer, at + 2 * bytes, capacity);
      for (let i = 0; i < capacity; i++) list[i] = at + 4 * padded(units) * i;
      at += 2 * bytes + 4 * capacity;
    }
  }

  static scratchBytes(shape: NetShape, capacity: number): number {
    return shape.hidden.reduce((sum, units) => sum + (8 * padded(units) + 4) * capacity, 0);
  }

  /**
   * Scores of n rows, a multiple of 4, into `out`. `rows` is the address of their addresses, `parameters` of the padded
   * ones.
   */
  forward(parameters: number, rows: number, n: number, out: number): void {
    const { layers } = this.layout;
    let below = rows;
    for (const [l, layer] of layers.entries()) {
      const weights = parameters + 4 * layer.weights;
      const bias = parameters + 4 * layer.bias;
      const scratch = this.#scratch[l];
      if (scratch === undefined) this.#kernel.output(below, n, padded(layer.inputs), weights, bias, out);
      else {
        this.#kernel.hidden(below, n, layer.inputs, layer.units, weights, bias, scratch.values);
        this.#kernel.activate(scratch.values, 4 * n * layer.units, this.#kind);
        below = scratch.rows;
      }
    }
  }

  /** After `forward` of the same rows: adds sum of lambda d score / d parameter to the padded `gradient`. */
  backward(parameters: number, rows: number, n: number, lambda: number, gradient: number): void {
    const { layers } = this.layout;
    const kernel = this.#kernel;
    const last = layers.length - 1;
    for (let l = last; l >= 0; l--) {
      const layer = layers[l]!;
      const weights = parameters + 4 * layer.weights;
      const weightsOut = gradient + 4 * layer.weights;
      const biasOut = gradient + 4 * layer.bias;
      const below = this.#scratch[l - 1];
      const input = below?.rows ?? rows;
      const own = this.#scratch[l];
      if (own === undefined) {
        kernel.outputBack(input, n, padded(layer.inputs), lambda, weightsOut, biasOut);
        if (below) kernel.outputDelta(below.values, n, padded(layer.inputs), weights, lambda, this.#kind, below.delta);
      } else {
        kernel.hiddenBack(input, n, layer.inputs, layer.units, own.delta, weightsOut, biasOut);
        if (below)
          kernel.hiddenDelta(below.values, n, layer.inputs, layer.units, weights, own.delta, this.#kind, below.delta);
      }
    }
  }
}
