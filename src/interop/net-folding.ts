/** A net without standardisation, in 32 bits, for formats that know nothing else. */
import type { NetModel } from '../models/net/net.js';

/** Weights [unit][input] and biases of a layer as float32, the first with the standardisation in it. */
export function foldedLayer({ layers, parameters, mean, scale }: NetModel, number: number) {
  const { units, inputs, weights: at, bias: biasAt } = layers[number]!;
  const first = number === 0;
  const exact = Array.from({ length: units }, (_, unit) =>
    Array.from({ length: inputs }, (_, i) => parameters[at + unit * inputs + i]! / (first ? scale[i]! : 1)),
  );
  const bias = exact.map((row, unit) =>
    row.reduce((sum, weight, i) => sum - (first ? weight * mean[i]! : 0), parameters[biasAt + unit]!),
  );
  return { weights: exact.map(row => row.map(Math.fround)), bias: bias.map(Math.fround) };
}
