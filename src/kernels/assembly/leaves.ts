// asc: --sharedMemory --maximumMemory 65536 --enable threads
// Leaves of a grown tree: exact sums of their rows, and their values to the scores.

import { BINS, Node, NODE_BYTES } from './layouts/boosting';

/** The row whose bins are at a place. */
@inline function rowAt(order: usize, place: usize): usize {
  return <usize>load<u32>(order + (place << 2));
}

/**
 * Sums of lambda and hessian over a leaf's places, rounded to multiples of 1 / scale. The scales keep all sums below
 * 2^52, where float64 adds whole numbers exactly: no order of summation changes them.
 */
export function sumRows(
  index: usize, n: i32, order: usize, lambdas: usize, lambdaScale: f64, hessianScale: f64, out: usize,
): void {
  const scale = f64x2.replace_lane(f64x2.splat(lambdaScale), 1, hessianScale);
  let total = f64x2.splat(0);
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const own = f64x2.promote_low_f32x4(v128.load64_zero(lambdas + (rowAt(order, load<u32>(i)) << 3)));
    total = f64x2.add(total, f64x2.nearest(f64x2.mul(own, scale)));
  }
  v128.store(out, total);
}

export function addToRows(index: usize, n: i32, order: usize, value: f32, scores: usize): void {
  for (let i = index, end = index + (<usize>n << 2); i < end; i += 4) {
    const at = scores + (rowAt(order, load<u32>(i)) << 2);
    store<f32>(at, load<f32>(at) + value);
  }
}

/** The byte of a row in a column; tiles lie so many bytes apart, and so many the columns of a tile. */
@inline function byteAt(row: usize, tileBytes: usize, columnBytes: usize, column: u32): usize {
  return <usize>load<u8>(row + <usize>(column >> 3) * tileBytes + <usize>(column & 7) * columnBytes);
}

/**
 * As `addTree`, where a node may be of a wide category: bins of `all` rows each, a bit a bin and node in `wideSides`.
 */
export function addWideTree(
  rows: usize, rowBytes: usize, tileBytes: usize, columnBytes: usize, first: i32, last: i32, nodes: usize, sides: usize, leaves: usize, scores: usize,
  wide: usize, all: i32, wideSides: usize,
): void {
  for (let i = first; i < last; i++) {
    const row = rows + <usize>i * rowBytes;
    let node: i32 = 0;
    do {
      const own = changetype<Node>(nodes + <usize>node * NODE_BYTES);
      let left: u32;
      if (own.wide) {
        const bin = <u32>load<u16>(wide + ((<usize>own.column * all + i) << 1));
        left = (<u32>load<u8>(wideSides + (<usize>node << 13) + (bin >> 3)) >> (bin & 7)) & 1;
      } else left = load<u8>(sides + <usize>node * BINS + byteAt(row, tileBytes, columnBytes, own.column));
      node = left ? <i32>own.left : <i32>own.right;
    } while (node >= 0);
    const to = scores + (<usize>i << 2);
    store<f32>(to, load<f32>(to) + load<f32>(leaves + (<usize>~node << 2)));
  }
}

/** From a node to the child that a row goes to; a leaf stays one. Without a branch, which no processor foresees. */
@inline function childOf(node: i32, row: usize, tileBytes: usize, columnBytes: usize, nodes: usize, sides: usize): i32 {
  const at = <usize>max(node, 0);
  const own = nodes + at * NODE_BYTES;
  const left = <usize>load<u8>(sides + at * BINS + byteAt(row, tileBytes, columnBytes, changetype<Node>(own).column));
  const apart = offsetof<Node>('right') - offsetof<Node>('left');
  const child = <i32>load<i16>(own - left * apart, offsetof<Node>('right'));
  return select<i32>(node, child, node < 0);
}

@inline function addLeaf(node: i32, i: i32, order: usize, leaves: usize, scores: usize): void {
  const to = scores + ((order == 0 ? <usize>i : rowAt(order, i)) << 2);
  store<f32>(to, load<f32>(to) + load<f32>(leaves + (<usize>~node << 2)));
}

/**
 * Adds one tree's value to the scores of rows `first` to `last`, from their bins. `sides` has a byte a bin and node: 1
 * where a row with that byte in the node's column goes left. Where `order` is not 0 they are places, as of a leaf.
 * Four rows go down together: what one waits for, another one does.
 */
export function addTree(
  rows: usize, rowBytes: usize, tileBytes: usize, columnBytes: usize, first: i32, last: i32, order: usize, nodes: usize, sides: usize, leaves: usize, scores: usize,
): void {
  let i = first;
  for (; i + 4 <= last; i += 4) {
    const a = rows + <usize>i * rowBytes;
    const b = a + rowBytes;
    const c = b + rowBytes;
    const d = c + rowBytes;
    let atA: i32 = 0;
    let atB: i32 = 0;
    let atC: i32 = 0;
    let atD: i32 = 0;
    do {
      atA = childOf(atA, a, tileBytes, columnBytes, nodes, sides);
      atB = childOf(atB, b, tileBytes, columnBytes, nodes, sides);
      atC = childOf(atC, c, tileBytes, columnBytes, nodes, sides);
      atD = childOf(atD, d, tileBytes, columnBytes, nodes, sides);
    } while ((atA & atB & atC & atD) >= 0);
    addLeaf(atA, i, order, leaves, scores);
    addLeaf(atB, i + 1, order, leaves, scores);
    addLeaf(atC, i + 2, order, leaves, scores);
    addLeaf(atD, i + 3, order, leaves, scores);
  }
  for (; i < last; i++) {
    let node: i32 = 0;
    do node = childOf(node, rows + <usize>i * rowBytes, tileBytes, columnBytes, nodes, sides);
    while (node >= 0);
    addLeaf(node, i, order, leaves, scores);
  }
}
