// Shapley values of a tree's features for one document after the other. What is summed is in
// src/kernels/tree-shapley.ts; these are the sweeps over a tree.
//
// Products along paths are kept at `bytes / 8` points of a quadrature, an even number. Children come after their
// parents, so that one loop goes down and one goes up.

import { Edge, EDGE_BYTES, STATES } from './layouts/tree-shapley';

// Few points are the rule, and loops over two or three pairs of them cost as much as what is done to them: functions
// that are inlined with a number for `bytes` have the first ones one after the other.

@inline function product(x: usize, y: usize): v128 {
  return f64x2.mul(v128.load(x), v128.load(y));
}

/** to[q] = from[q] * by[q] */
@inline function multiply(to: usize, from: usize, by: usize, bytes: usize): void {
  v128.store(to, product(from, by));
  if (bytes > 16) v128.store(to + 16, product(from + 16, by + 16));
  if (bytes > 32) v128.store(to + 32, product(from + 32, by + 32));
  if (bytes > 48) v128.store(to + 48, product(from + 48, by + 48));
  for (let q: usize = 64; q < bytes; q += 16) v128.store(to + q, product(from + q, by + q));
}

/** The sum of x[q] * y[q]. */
@inline function dot(x: usize, y: usize, bytes: usize): f64 {
  let sum = product(x, y);
  if (bytes > 16) sum = f64x2.add(sum, product(x + 16, y + 16));
  if (bytes > 32) sum = f64x2.add(sum, product(x + 32, y + 32));
  if (bytes > 48) sum = f64x2.add(sum, product(x + 48, y + 48));
  for (let q: usize = 64; q < bytes; q += 16) sum = f64x2.add(sum, product(x + q, y + q));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** Products from the root, at `slots`, down to every leaf. `went` has a byte a node: 1 where the document goes left. */
@inline function descend(
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

/** What two points of both children give their feature; the node has the sum of both, where it is kept. */
@inline function joined(a: usize, ofA: usize, b: usize, ofB: usize, to: usize, keep: bool): v128 {
  const x = v128.load(a), y = v128.load(b);
  if (keep) v128.store(to, f64x2.add(x, y));
  return f64x2.add(f64x2.mul(x, v128.load(ofA)), f64x2.mul(y, v128.load(ofB)));
}

/** Gives the feature of a node what its edges make of the sums below. */
@inline function give(
  node: usize, edges: usize, bytes: usize, tables: usize, slots: usize, states: usize, out: usize, keep: bool,
): void {
  const row = 2 * bytes;
  const left = edges + 2 * node * EDGE_BYTES;
  const feature = out + changetype<Edge>(left).feature;
  const a = slots + changetype<Edge>(left).child;
  const b = slots + changetype<Edge>(left + EDGE_BYTES).child;
  const both = tables + 2 * node * STATES * row + bytes;
  const ofA = both + <usize>load<u8>(states + 1 + 2 * node) * row;
  const ofB = both + (STATES + <usize>load<u8>(states + 2 + 2 * node)) * row;
  const to = slots + node * bytes;
  let sum = joined(a, ofA, b, ofB, to, keep);
  if (bytes > 16) sum = f64x2.add(sum, joined(a + 16, ofA + 16, b + 16, ofB + 16, to + 16, keep));
  if (bytes > 32) sum = f64x2.add(sum, joined(a + 32, ofA + 32, b + 32, ofB + 32, to + 32, keep));
  if (bytes > 48) sum = f64x2.add(sum, joined(a + 48, ofA + 48, b + 48, ofB + 48, to + 48, keep));
  for (let q: usize = 64; q < bytes; q += 16) {
    sum = f64x2.add(sum, joined(a + q, ofA + q, b + q, ofB + q, to + q, keep));
  }
  store<f64>(feature, load<f64>(feature) + f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}

/** Sums of leaves from below up to every node. The root's products stay for the next document. */
@inline function ascend(
  edges: usize, nodes: usize, bytes: usize, tables: usize, slots: usize, states: usize, out: usize,
): void {
  for (let node = nodes - 1; node > 0; node--) give(node, edges, bytes, tables, slots, states, out, true);
  give(0, edges, bytes, tables, slots, states, out, false);
}

@inline function valuesOf(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize,
): void {
  for (let i: usize = 0; i < n; i++) {
    descend(edges, nodes, bytes, tables, went + i, stride, slots, states);
    ascend(edges, nodes, bytes, tables, slots, states, out);
    out += outBytes;
  }
}

/** Adds the values of a tree's features to the rows of n documents. */
export function values(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize,
): void {
  if (bytes == 16) valuesOf(edges, nodes, 16, tables, went, stride, slots, states, n, out, outBytes);
  else if (bytes == 32) valuesOf(edges, nodes, 32, tables, went, stride, slots, states, n, out, outBytes);
  else if (bytes == 48) valuesOf(edges, nodes, 48, tables, went, stride, slots, states, n, out, outBytes);
  else if (bytes == 64) valuesOf(edges, nodes, 64, tables, went, stride, slots, states, n, out, outBytes);
  else valuesOf(edges, nodes, bytes, tables, went, stride, slots, states, n, out, outBytes);
}

/** What is noted of a feature on the way to a leaf: where its part in the value is, and its place in a row. */
const WAY_BYTES: usize = 8;

@inline function interactionsOf(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize, paths: usize, shares: usize, rowBytes: usize, scratch: usize,
): void {
  const ways = scratch + bytes;
  for (let i: usize = 0; i < n; i++) {
    descend(edges, nodes, bytes, tables, went + i, stride, slots, states);
    let leaf = slots + nodes * bytes;
    let path = paths;
    for (let k: usize = 0; k <= nodes; k++) {
      const end = ways + <usize>load<u32>(path) * WAY_BYTES;
      path += 4;
      for (let way = ways; way < end; way += WAY_BYTES) {
        const edge = <usize>load<u32>(path);
        path += 4;
        store<u32>(way, <u32>(shares + (2 * edge + usize(load<u8>(states + 1 + edge) == 1)) * bytes));
        store<u32>(way, changetype<Edge>(edges + edge * EDGE_BYTES).feature, 4);
      }
      for (let a = ways; a < end; a += WAY_BYTES) {
        const row = out + <usize>load<u32>(a, 4) / 8 * rowBytes;
        multiply(scratch, leaf, <usize>load<u32>(a), bytes);
        for (let b = a + WAY_BYTES; b < end; b += WAY_BYTES) {
          const cell = row + <usize>load<u32>(b, 4);
          store<f64>(cell, load<f64>(cell) + dot(scratch, <usize>load<u32>(b), bytes));
        }
      }
      leaf += bytes;
    }
    out += outBytes;
  }
}

/**
 * Adds the interactions of a tree's features to the matrices of n documents, each pair once. `paths` has, leaf by leaf,
 * how many features lead to it, and the last edge of each, in the order of features; `shares` is as `tables`, with the
 * part of the feature's value alone, in two states. `scratch` has room for a row of points and the features of a path.
 */
export function interactions(
  edges: usize, nodes: usize, bytes: usize, tables: usize, went: usize, stride: usize, slots: usize, states: usize,
  n: usize, out: usize, outBytes: usize, paths: usize, shares: usize, rowBytes: usize, scratch: usize,
): void {
  if (bytes == 16) {
    interactionsOf(
      edges, nodes, 16, tables, went, stride, slots, states, n, out, outBytes, paths, shares, rowBytes, scratch,
    );
  } else if (bytes == 32) {
    interactionsOf(
      edges, nodes, 32, tables, went, stride, slots, states, n, out, outBytes, paths, shares, rowBytes, scratch,
    );
  } else if (bytes == 48) {
    interactionsOf(
      edges, nodes, 48, tables, went, stride, slots, states, n, out, outBytes, paths, shares, rowBytes, scratch,
    );
  } else if (bytes == 64) {
    interactionsOf(
      edges, nodes, 64, tables, went, stride, slots, states, n, out, outBytes, paths, shares, rowBytes, scratch,
    );
  } else {
    interactionsOf(
      edges, nodes, bytes, tables, went, stride, slots, states, n, out, outBytes, paths, shares, rowBytes, scratch,
    );
  }
}
