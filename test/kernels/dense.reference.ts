/** The reference of the dense kernel: plain loops over typed arrays, parameters in the order of net-shape.ts. */
import { type Activation, type LayerShape, layersOf, type NetShape } from '#listwise/kernels/net-shape.js';

const functions: Record<Activation, { value(x: number): number; derivative(a: number): number }> = {
  tanh: { value: Math.tanh, derivative: a => 1 - a * a },
  sigmoid: { value: x => 1 / (1 + Math.exp(-x)), derivative: a => a * (1 - a) },
  relu: { value: x => Math.max(x, 0), derivative: a => (a > 0 ? 1 : 0) },
};

export class DenseReference {
  readonly #layers: LayerShape[];
  readonly #value: (x: number) => number;
  readonly #derivative: (a: number) => number;
  /** Values and deltas of each layer, [row][unit]. */
  readonly #values: Float64Array[];
  readonly #delta: Float64Array[];

  constructor(shape: NetShape, capacity: number) {
    this.#layers = layersOf(shape);
    this.#value = functions[shape.activation].value;
    this.#derivative = functions[shape.activation].derivative;
    this.#values = this.#layers.map(({ units }) => new Float64Array(units * capacity));
    this.#delta = this.#layers.map(({ units }) => new Float64Array(units * capacity));
  }

  /** `rows` is [row][input]. */
  forward(parameters: Float64Array, rows: Float64Array, n: number, out: Float64Array): void {
    let below = rows;
    for (const [l, layer] of this.#layers.entries()) {
      const values = this.#values[l]!;
      multiply(layer, parameters, below, n, values);
      if (l === this.#layers.length - 1) out.set(values.subarray(0, n));
      else for (let i = 0; i < n * layer.units; i++) values[i] = this.#value(values[i]!);
      below = values;
    }
  }

  /** After `forward` of the same rows: adds sum of lambda d score / d parameter to `gradient`. */
  backward(
    parameters: Float64Array,
    rows: Float64Array,
    n: number,
    lambda: Float64Array,
    gradient: Float64Array,
  ): void {
    const last = this.#layers.length - 1;
    this.#delta[last]!.set(lambda.subarray(0, n));
    for (let l = last; l >= 0; l--) {
      const layer = this.#layers[l]!;
      accumulate(layer, l === 0 ? rows : this.#values[l - 1]!, this.#delta[l]!, n, gradient);
      if (l > 0) {
        const below = this.#delta[l - 1]!;
        const values = this.#values[l - 1]!;
        spread(layer, parameters, this.#delta[l]!, n, below);
        for (let i = 0; i < n * layer.inputs; i++) below[i]! *= this.#derivative(values[i]!);
      }
    }
  }
}

/** out[row][unit] = bias + sum of weight x. */
function multiply(layer: LayerShape, parameters: Float64Array, x: Float64Array, n: number, out: Float64Array): void {
  const { inputs, units, weights, bias } = layer;
  for (let i = 0; i < n; i++) {
    const row = i * inputs;
    for (let u = 0; u < units; u++) {
      const first = weights + u * inputs;
      let sum = parameters[bias + u]!;
      for (let f = 0; f < inputs; f++) sum += parameters[first + f]! * x[row + f]!;
      out[i * units + u] = sum;
    }
  }
}

/** Adds delta x to the weights' gradient and delta to the biases'. */
function accumulate(layer: LayerShape, x: Float64Array, delta: Float64Array, n: number, gradient: Float64Array): void {
  const { inputs, units, weights, bias } = layer;
  for (let i = 0; i < n; i++) {
    const row = i * inputs;
    for (let u = 0; u < units; u++) {
      const d = delta[i * units + u]!;
      const first = weights + u * inputs;
      gradient[bias + u]! += d;
      for (let f = 0; f < inputs; f++) gradient[first + f]! += d * x[row + f]!;
    }
  }
}

/** below[row][input] = sum over units of weight delta. */
function spread(
  layer: LayerShape,
  parameters: Float64Array,
  delta: Float64Array,
  n: number,
  below: Float64Array,
): void {
  const { inputs, units, weights } = layer;
  below.fill(0, 0, n * inputs);
  for (let i = 0; i < n; i++) {
    const row = i * inputs;
    for (let u = 0; u < units; u++) {
      const d = delta[i * units + u]!;
      const first = weights + u * inputs;
      for (let f = 0; f < inputs; f++) below[row + f]! += d * parameters[first + f]!;
    }
  }
}
