/** Layers of a net in 32 bits, for other systems. */
import type { NetModel } from '../models/net/net.js';

interface Standardised {
  readonly mean: ArrayLike<number>;
  readonly scale: ArrayLike<number>;
}

/** Weights [unit][input] and biases of a layer as float32. */
export function plainLayer(model: NetModel, number: number) {
  return layerOf(model, number);
}

/** The same with the standardisation in the first layer, for formats that know nothing else. */
export function foldedLayer(model: NetModel, number: number) {
  return layerOf(model, number, number === 0 ? model : undefined);
}

function layerOf({ layers, parameters }: NetModel, number: number, standardised?: Standardised) {
  const { units, inputs, weights: at, bias: biasAt } = layers[number]!;
  const exact = Array.from({ length: units }, (_, unit) =>
    Array.from({ length: inputs }, (_, i) => parameters[at + unit * inputs + i]! / (standardised?.scale[i] ?? 1)),
  );
  const bias = exact.map((row, unit) =>
    row.reduce((sum, weight, i) => sum - weight * (standardised?.mean[i] ?? 0), parameters[biasAt + unit]!),
  );
  return { weights: exact.map(row => row.map(Math.fround)), bias: bias.map(Math.fround) };
}
