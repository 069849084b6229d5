/**
 * A dense net at parameters + step times direction, for many directions and steps over the same rows. Sums of the first
 * hidden layer are linear in its parameters, so they are computed once for the parameters and once for each direction;
 * a step only adds the two. What lies above is small and computed anew. In float32, in a memory of its own.
 */
import { base64 } from './dense-bytes.js';
import { InlinedKernel } from './inlined.js';
import { activations, type NetShape, type PaddedLayout, padded, paddedLayout } from './net-shape.js';

const dense = new InlinedKernel(base64);

interface Exports extends WebAssembly.Exports {
  activate(values: number, bytes: number, kind: number): void;
  advance(base: number, change: number, step: number, bytes: number, out: number): void;
  hidden(rows: number, n: number, inputs: number, units: number, weights: number, bias: number, out: number): void;
  output(rows: number, n: number, inputs: number, weights: number, bias: number, out: number): void;
}

/** Addresses in bytes of a hidden layer: its values, [row][padded unit], and the list of its rows. */
interface LayerPlace {
  readonly values: number;
  readonly list: number;
}

export class AlteredDense {
  readonly capacity: number;
  /** To be filled with the inputs, [row][padded input]; the padding stays 0. */
  readonly rows: Float32Array;
  /** Scores of the last `step`. */
  readonly scores: Float32Array;
  readonly #layout: PaddedLayout;
  readonly #kernel: Exports;
  readonly #kind: number;
  readonly #at: { rows: LayerPlace; base: number; change: number; parameters: number; scores: number };
  readonly #layers: readonly LayerPlace[];
  /** What the kernel reads, and what it is made of; in the padded layout. */
  readonly #altered: Float32Array;
  readonly #parameters: Float64Array;
  readonly #direction: Float64Array;

  /** At most `capacity` rows go at once, a multiple of 4; there is at least one hidden layer. */
  constructor(shape: NetShape, capacity: number) {
    this.capacity = capacity;
    this.#layout = paddedLayout(shape);
    this.#kind = activations.indexOf(shape.activation);
    let bytes = 1024;
    const take = (values: number) => {
      const address = bytes;
      bytes = 64 * Math.ceil((address + 4 * values) / 64);
      return address;
    };
    const takeRows = (width: number): LayerPlace => ({ values: take(width * capacity), list: take(capacity) });
    const first = padded(shape.hidden[0]!);
    const { size } = this.#layout;
    this.#at = {
      rows: takeRows(padded(shape.inputs)),
      base: take(first * capacity),
      change: take(first * capacity),
      parameters: take(size),
      scores: take(capacity),
    };
    this.#layers = shape.hidden.map(units => takeRows(padded(units)));
    const pages = Math.ceil(bytes / 65536);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.#kernel = dense.over<Exports>(memory);
    const listRows = ({ values, list }: LayerPlace, width: number) => {
      const addresses = new Uint32Array(memory.buffer, list, capacity);
      for (let i = 0; i < capacity; i++) addresses[i] = values + 4 * width * i;
    };
    listRows(this.#at.rows, padded(shape.inputs));
    for (const [l, layer] of this.#layers.entries()) listRows(layer, padded(shape.hidden[l]!));
    this.rows = new Float32Array(memory.buffer, this.#at.rows.values, padded(shape.inputs) * capacity);
    this.scores = new Float32Array(memory.buffer, this.#at.scores, capacity);
    this.#altered = new Float32Array(memory.buffer, this.#at.parameters, size);
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
    const { rows, parameters: at } = this.#at;
    this.#altered.set(parameters);
    this.#kernel.hidden(rows.list, padded(n), inputs, units, at + 4 * weights, at + 4 * bias, out);
  }
}
