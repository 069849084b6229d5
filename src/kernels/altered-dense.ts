/**
 * A dense net at parameters + step times direction, for many directions and steps over the same rows. Sums of the first
 * hidden layer are linear in its parameters, so they are computed once for the parameters and once for each direction;
 * a step only adds the two. What lies above is small and computed anew. In float32, in a memory of its own.
 */
import { type Addresses, Arena, arraysOf, f32, u32 } from './arena.js';
import { base64 } from './dense-bytes.js';
import type { KernelExports } from './exports.js';
import { InlinedKernel } from './inlined.js';
import { activations } from './layouts/dense.js';
import { type NetShape, type PaddedLayout, padded, paddedLayout } from './net-shape.js';
import { listRows } from './row-list.js';

const dense = new InlinedKernel<'dense'>(base64);

/** Rows of `width` values: the values, [row][width], and the list of their addresses. */
function rowRegions(width: number, capacity: number) {
  return { values: f32(width * capacity), list: u32(capacity) };
}

type Rows = Addresses<ReturnType<typeof rowRegions>>;

export class AlteredDense {
  readonly capacity: number;
  /** To be filled with the inputs, [row][padded input]; the padding stays 0. */
  readonly rows: Float32Array;
  /** Scores of the last `step`. */
  readonly scores: Float32Array;
  readonly #layout: PaddedLayout;
  readonly #kernel: KernelExports['dense'];
  readonly #kind: number;
  readonly #at: Addresses<Record<'base' | 'change' | 'parameters' | 'scores', unknown>>;
  readonly #inputs: Rows;
  readonly #layers: readonly Rows[];
  /** What the kernel reads, and what it is made of; in the padded layout. */
  readonly #altered: Float32Array;
  readonly #parameters: Float64Array;
  readonly #direction: Float64Array;

  /** At most `capacity` rows go at once, a multiple of 4; there is at least one hidden layer. */
  constructor(shape: NetShape, capacity: number) {
    this.capacity = capacity;
    this.#layout = paddedLayout(shape);
    this.#kind = activations.indexOf(shape.activation);
    const width = padded(shape.inputs);
    const first = padded(shape.hidden[0]!);
    const { size } = this.#layout;
    const arena = new Arena();
    const regions = {
      base: f32(first * capacity),
      change: f32(first * capacity),
      parameters: f32(size),
      scores: f32(capacity),
    };
    this.#at = arena.takeAll(regions);
    this.#inputs = arena.takeAll(rowRegions(width, capacity));
    this.#layers = shape.hidden.map(units => arena.takeAll(rowRegions(padded(units), capacity)));
    const memory = arena.sharedMemory();
    const { buffer } = memory;
    this.#kernel = dense.over(memory);
    listRows(buffer, this.#inputs.list, this.#inputs.values, width, capacity);
    this.#layers.forEach(({ list, values }, l) => {
      listRows(buffer, list, values, padded(shape.hidden[l]!), capacity);
    });
    const arrays = arraysOf(regions, this.#at, buffer);
    this.rows = new Float32Array(buffer, this.#inputs.values, width * capacity);
    this.scores = arrays.scores;
    this.#altered = arrays.parameters;
    this.#parameters = new Float64Array(size);
    this.#direction = new Float64Array(size);
  }

  /** Takes the parameters, in the order of net-shape.ts, for the n rows that `rows` holds now. */
  show(parameters: Float64Array, n: number): void {
    this.#write(parameters, this.#parameters);
    this.#firstSums(this.#parameters, n, this.#at.base);
  }

  /** Takes a direction; it may be shorter than the parameters, the rest is 0. */
  aim(direction: Float64Array, n: number): void {
    this.#write(direction, this.#direction);
    this.#firstSums(this.#direction, n, this.#at.change);
  }

  /** Scores of the first n rows. */
  step(step: number, n: number): void {
    const { layers } = this.#layout;
    const n4 = padded(n);
    for (let i = 0; i < this.#altered.length; i++) {
      this.#altered[i] = this.#parameters[i]! + step * this.#direction[i]!;
    }
    const first = this.#layers[0]!;
    const bytes = 4 * n4 * layers[0]!.units;
    this.#kernel.advance(this.#at.base, this.#at.change, step, bytes, first.values);
    this.#kernel.activate(first.values, bytes, this.#kind);
    let below = first;
    for (let l = 1; l < layers.length; l++) {
      const { inputs, units, weights, bias } = layers[l]!;
      const at = { weights: this.#at.parameters + 4 * weights, bias: this.#at.parameters + 4 * bias };
      const own = this.#layers[l];
      if (own === undefined) {
        this.#kernel.output(below.list, n4, padded(inputs), at.weights, at.bias, this.#at.scores);
        return;
      }
      this.#kernel.hidden(below.list, n4, inputs, units, at.weights, at.bias, own.values);
      this.#kernel.activate(own.values, 4 * n4 * units, this.#kind);
      below = own;
    }
  }

  #write(values: Float64Array, into: Float64Array): void {
    for (let i = 0; i < values.length; i++) into[this.#layout.place[i]!] = values[i]!;
  }

  #firstSums(parameters: Float64Array, n: number, out: number): void {
    const { inputs, units, weights, bias } = this.#layout.layers[0]!;
    const at = this.#at.parameters;
    this.#altered.set(parameters);
    this.#kernel.hidden(this.#inputs.list, padded(n), inputs, units, at + 4 * weights, at + 4 * bias, out);
  }
}
