/**
 * A dense net over a shared memory: forward and backward of some rows. Each thread has one, with scratch of its own.
 */
import { type Addresses, Arena, f32, u32 } from './arena.js';
import type { KernelExports } from './exports.js';
import { activations } from './layouts/dense.js';
import { loadKernel } from './load.js';
import { type NetShape, type PaddedLayout, padded, paddedLayout } from './net-shape.js';
import { listRows } from './row-list.js';

/** Addresses of a layer's values and deltas, [row][padded unit], and of the list of its rows. */
type Layer = Addresses<ReturnType<typeof layerRegions>>;

function layerRegions(units: number, capacity: number) {
  return { values: f32(padded(units) * capacity), delta: f32(padded(units) * capacity), rows: u32(capacity) };
}

function layersIn(arena: Arena, shape: NetShape, capacity: number): Layer[] {
  return shape.hidden.map(units => arena.takeAll(layerRegions(units, capacity)));
}

export class DenseKernel {
  readonly layout: PaddedLayout;
  readonly #kernel: KernelExports['dense'];
  readonly #kind: number;
  readonly #scratch: readonly Layer[];

  /** `scratch` is the address of `scratchBytes` bytes that nobody else uses; at most `capacity` rows go at once. */
  constructor(memory: WebAssembly.Memory, shape: NetShape, scratch: number, capacity: number) {
    this.layout = paddedLayout(shape);
    this.#kernel = loadKernel('dense', memory);
    this.#kind = activations.indexOf(shape.activation);
    this.#scratch = layersIn(new Arena(scratch), shape, capacity);
    this.#scratch.forEach(({ rows, values }, l) => {
      listRows(memory.buffer, rows, values, padded(shape.hidden[l]!), capacity);
    });
  }

  static scratchBytes(shape: NetShape, capacity: number): number {
    const arena = new Arena(0);
    layersIn(arena, shape, capacity);
    return arena.bytes;
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
