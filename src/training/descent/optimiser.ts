/**
 * How parameters move along a gradient (of ascent). One small record each; state is arrays as long as the parameters.
 */
import { layersOf, type NetShape } from '../../kernels/net-shape.js';

export interface OptimiserState {
  steps: number;
  /** Running means of the gradient and of its square (Adam), or the velocity (momentum). */
  readonly first: Float64Array;
  readonly second: Float64Array;
}

export interface OptimiserSettings {
  readonly momentum: number;
  readonly decay: number;
}

type Step = (
  parameters: Float64Array,
  gradient: Float64Array,
  rate: number,
  state: OptimiserState,
  settings: OptimiserSettings,
) => void;

export const optimisers = {
  sgd(parameters, gradient, rate, { first }, { momentum }) {
    for (let i = 0; i < parameters.length; i++) {
      const velocity = momentum * first[i]! + gradient[i]!;
      first[i] = velocity;
      parameters[i]! += rate * velocity;
    }
  },
  /** Kingma and Ba 2015, with the usual constants. */
  adam(parameters, gradient, rate, state) {
    const { first, second } = state;
    const step = state.steps + 1;
    const firstShare = 1 - 0.9 ** step;
    const secondShare = 1 - 0.999 ** step;
    for (let i = 0; i < parameters.length; i++) {
      const g = gradient[i]!;
      first[i] = 0.9 * first[i]! + 0.1 * g;
      second[i] = 0.999 * second[i]! + 0.001 * g * g;
      parameters[i]! += (rate * (first[i]! / firstShare)) / (Math.sqrt(second[i]! / secondShare) + 1e-8);
    }
  },
} as const satisfies Record<string, Step>;

export type OptimiserName = keyof typeof optimisers;

export class Optimiser {
  readonly #step: Step;
  readonly #settings: OptimiserSettings;
  /** 1 for weights, 0 for biases, which do not decay. */
  readonly #isWeight: Uint8Array;
  state: OptimiserState;

  constructor(name: OptimiserName, shape: NetShape, settings: OptimiserSettings) {
    this.#step = optimisers[name];
    this.#settings = settings;
    const layers = layersOf(shape);
    const count = layers.at(-1)!.bias + 1;
    this.#isWeight = new Uint8Array(count).fill(1);
    for (const { bias, units } of layers) this.#isWeight.fill(0, bias, bias + units);
    this.state = { steps: 0, first: new Float64Array(count), second: new Float64Array(count) };
  }

  reset(): void {
    this.state.steps = 0;
    this.state.first.fill(0);
    this.state.second.fill(0);
  }

  step(parameters: Float64Array, gradient: Float64Array, rate: number): void {
    const shrink = rate * this.#settings.decay;
    // Decay is apart from the gradient, so that Adam does not scale it away.
    if (shrink > 0) {
      for (let i = 0; i < parameters.length; i++) if (this.#isWeight[i]) parameters[i]! -= shrink * parameters[i]!;
    }
    this.#step(parameters, gradient, rate, this.state, this.#settings);
    this.state.steps++;
  }
}
