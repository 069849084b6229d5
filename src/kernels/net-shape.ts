/**
 * The shape of a dense net and where its parameters lie. Parameters are counted layer by layer: the weights
 * [unit][input], then the biases [unit]; the last layer has one unit, the score. A linear model has no hidden layer.
 */
import { type activations, TILE_UNITS } from './layouts/dense.js';

export type Activation = (typeof activations)[number];

export interface NetShape {
  readonly inputs: number;
  /** Units of each hidden layer, from the features on. */
  readonly hidden: readonly number[];
  readonly activation: Activation;
}

export interface LayerShape {
  readonly inputs: number;
  readonly units: number;
  /** Number of the first weight and of the first bias among the parameters. */
  readonly weights: number;
  readonly bias: number;
}

export function layersOf({ inputs, hidden }: NetShape): LayerShape[] {
  let at = 0;
  return [...hidden, 1].map((units, l) => {
    const below = l === 0 ? inputs : hidden[l - 1]!;
    const layer = { inputs: below, units, weights: at, bias: at + units * below };
    at = layer.bias + units;
    return layer;
  });
}

export function parameterCount(shape: NetShape): number {
  const last = layersOf(shape).at(-1)!;
  return last.bias + last.units;
}

export function padded(count: number): number {
  return (count + 3) & ~3;
}

/** A layer of the kernel's padded layout (assembly/dense.ts), in values from the start of the parameters. */
export interface PaddedLayer {
  readonly inputs: number;
  /** Padded for hidden layers; 1 for the last. */
  readonly units: number;
  readonly weights: number;
  readonly bias: number;
}

export interface PaddedLayout {
  readonly layers: readonly PaddedLayer[];
  /** Values in all. */
  readonly size: number;
  /** Where parameter i lies. */
  readonly place: Uint32Array;
}

export function paddedLayout(shape: NetShape): PaddedLayout {
  const plain = layersOf(shape);
  const place = new Uint32Array(parameterCount(shape));
  const layers: PaddedLayer[] = [];
  let size = 0;
  for (const [l, layer] of plain.entries()) {
    const last = l === plain.length - 1;
    const units = last ? 1 : padded(layer.units);
    const weights = size;
    const bias = weights + (last ? padded(layer.inputs) : layer.inputs * units);
    size = bias + padded(units);
    layers.push({ inputs: layer.inputs, units, weights, bias });
    for (let u = 0; u < layer.units; u++) {
      for (let i = 0; i < layer.inputs; i++) {
        place[layer.weights + u * layer.inputs + i] = weights + (last ? i : tiled(u, i, layer.inputs, units));
      }
      place[layer.bias + u] = bias + u;
    }
  }
  return { layers, size, place };
}

/** Tiles of so many units while they last, then of 4; within a tile [input][unit]. */
function tiled(unit: number, input: number, inputs: number, units: number): number {
  const whole = Math.floor(units / TILE_UNITS) * TILE_UNITS;
  const width = unit < whole ? TILE_UNITS : 4;
  const first = unit < whole ? unit - (unit % TILE_UNITS) : unit - ((unit - whole) % 4);
  return first * inputs + input * width + (unit - first);
}
