// Shapley values of a tree's features for one document after the other. What is summed is in
// src/kernels/tree-shapley.ts; these are the sweeps over a tree.
//
// Products along paths are kept at `bytes / 8` points of a quadrature, an even number. Children come after their
// parents, so that one loop goes down and one goes up.

import { Edge, EDGE_BYTES, STATES } from './layouts/tree-shapley';

/** to[q] = from[q] * by[q] */
@inline function multiply(to: usize, from: usize, by: usize, bytes: usize): void {
  for (let q: usize = 0; q < bytes; q += 16) v128.store(to + q, f64x2.mul(v128.load(from + q), v128.load(by + q)));
}

/** Products from the root, at `slots`, down to every leaf. `went` has a byte a node: 1 where the document goes left. */
export function descend(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
): void {
  const row = 2 * bytes;
  let parent = slots;
  let state = states + 1;
  for (let node: usize = 0; node < nodes; node++) {
    let own = <u32>load<u8>(went);
    for (let side = 0; side < 2; side++) {
      const edge = changetype<Edge>(edges);
      const found = load<u8>(states + edge.above) == 1 ? own : 2;
      store<u8>(state++, <u8>found);
      multiply(slots + edge.child, parent, tables + <usize>found * row, bytes);
      tables += STATES * row;
      edges += EDGE_BYTES;
      own ^= 1;
    }
    went += stride;
    parent += bytes;
  }
}

/** Sums of leaves from below up to every node; each feature is given what its edges make of them. */
export function ascend(
  edges: usize, nodes: usize, bytes: usize, tables: usize, slots: usize, states: usize, out: usize,
): void {
  const row = 2 * bytes;
  for (let node = nodes; node-- > 0; ) {
    const left = edges + 2 * node * EDGE_BYTES;
    const feature = out + changetype<Edge>(left).feature;
    const a = slots + changetype<Edge>(left).child;
    const b = slots + changetype<Edge>(left + EDGE_BYTES).child;
    const both = tables + 2 * node * STATES * row + bytes;
    const ofA = both + <usize>load<u8>(states + 1 + 2 * node) * row;
    const ofB = both + (STATES + <usize>load<u8>(states + 2 + 2 * node)) * row;
    const to = slots + node * bytes;
    let sum = f64x2.splat(0);
    // The root's products stay for the next document.
    if (node > 0) {
      for (let q: usize = 0; q < bytes; q += 16) {
        const x = v128.load(a + q), y = v128.load(b + q);
        sum = f64x2.add(sum, f64x2.add(f64x2.mul(x, v128.load(ofA + q)), f64x2.mul(y, v128.load(ofB + q))));
        v128.store(to + q, f64x2.add(x, y));
      }
    } else {
      for (let q: usize = 0; q < bytes; q += 16) {
        sum = f64x2.add(sum, f64x2.add(
          f64x2.mul(v128.load(a + q), v128.load(ofA + q)), f64x2.mul(v128.load(b + q), v128.load(ofB + q))));
      }
    }
    store<f64>(feature, load<f64>(feature) + f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

/** Adds the values of a tree's features to the rows of n documents. */
export function values(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize,
): void {
  for (let i: usize = 0; i < n; i++) {
    descend(edges, nodes, bytes, tables, went + i, stride, slots, states);
    ascend(edges, nodes, bytes, tables, slots, states, out);
    out += outBytes;
  }
}

/**
 * Adds the interactions of a tree's features to the matrices of n documents, each pair once. `paths` has, leaf by leaf,
 * how many features lead to it, and the last edge of each, in the order of features; `shares` is as `tables`, with the
 * part of the feature's value alone, in two states.
 */
export function interactions(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize, paths: usize, shares: usize, rowBytes: usize, scratch: usize,
): void {
  for (let i: usize = 0; i < n; i++) {
    descend(edges, nodes, bytes, tables, went + i, stride, slots, states);
    let leaf = slots + nodes * bytes;
    let path = paths;
    for (let k: usize = 0; k <= nodes; k++) {
      const length = <usize>load<u32>(path);
      path += 4;
      for (let a: usize = 0; a < length; a++) {
        const edge = <usize>load<u32>(path + 4 * a);
        const row = out + <usize>changetype<Edge>(edges + edge * EDGE_BYTES).feature / 8 * rowBytes;
        multiply(scratch, leaf, shares + (2 * edge + usize(load<u8>(states + 1 + edge) == 1)) * bytes, bytes);
        for (let b = a + 1; b < length; b++) {
          const other = <usize>load<u32>(path + 4 * b);
          const by = shares + (2 * other + usize(load<u8>(states + 1 + other) == 1)) * bytes;
          let sum = f64x2.splat(0);
          for (let q: usize = 0; q < bytes; q += 16) {
            sum = f64x2.add(sum, f64x2.mul(v128.load(scratch + q), v128.load(by + q)));
          }
          const cell = row + changetype<Edge>(edges + other * EDGE_BYTES).feature;
          store<f64>(cell, load<f64>(cell) + f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
        }
      }
      path += 4 * length;
      leaf += bytes;
    }
    out += outBytes;
  }
}
