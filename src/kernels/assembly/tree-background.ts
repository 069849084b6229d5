// Shapley values of a tree's features for documents against others, the background: a feature that is not known has the
// value of the other document. On the way to a leaf, a features are passed by the first document only and c by the
// second only; where each is passed by one of them at least, the leaf adds value (a - 1)! c! / (a + c)! to each of
// the a features and takes value a! (c - 1)! / (a + c)! from each of the c (Lundberg and others 2020, Algorithm 3).

import { Fork, FORK_BYTES } from './layouts/tree-background';

/** What is on the way from the root: 1 where only the document passes a feature's splits, 2 where only the other. */
const ONLY_FIRST: u8 = 1;
const ONLY_SECOND: u8 = 2;

let forks: usize = 0;
let leafValues: usize = 0;
let marks: usize = 0;
let weights: usize = 0;
let most: usize = 0;
let step: usize = 0;
let target: usize = 0;
/** Sums over the leaves below of value times weight: for features that only the first passes, only the second. */
let gain: f64 = 0;
let loss: f64 = 0;

/** `weightsOf[a * size + c]` = (a - 1)! c! / (a + c)!, 0 where a is 0. */
export function begin(
  forksAt: usize, leafValuesAt: usize, marksAt: usize, weightsOf: usize, size: usize, stride: usize,
): void {
  forks = forksAt;
  leafValues = leafValuesAt;
  marks = marksAt;
  weights = weightsOf;
  most = size;
  step = stride;
}

/** a and c: how many features only the first, only the second passes on the way. */
function below(start: i32, first: usize, second: usize, secondStep: usize, a: usize, c: usize): void {
  let node = start;
  while (node >= 0) {
    const fork = changetype<Fork>(forks + <usize>node * FORK_BYTES);
    const x = load<u8>(first + <usize>node * step);
    const y = load<u8>(second + <usize>node * secondStep);
    const mark = marks + fork.feature / 8;
    const known = load<u8>(mark);
    if (x == y || known != 0) {
      node = (known == ONLY_SECOND ? y : x) != 0 ? fork.left : fork.right;
      continue;
    }
    store<u8>(mark, ONLY_FIRST);
    below(x != 0 ? fork.left : fork.right, first, second, secondStep, a + 1, c);
    const gained = gain, lost = loss;
    store<u8>(mark, ONLY_SECOND);
    below(y != 0 ? fork.left : fork.right, first, second, secondStep, a, c + 1);
    store<u8>(mark, 0);
    const cell = target + fork.feature;
    store<f64>(cell, load<f64>(cell) + gained - loss);
    gain += gained;
    loss += lost;
    return;
  }
  const value = load<f64>(leafValues + (<usize>~node << 3));
  gain = value * load<f64>(weights + ((a * most + c) << 3));
  loss = value * load<f64>(weights + ((c * most + a) << 3));
}

/** Adds the values of a tree's features for n documents, each against all m of the background. */
export function against(first: usize, n: usize, second: usize, m: usize, secondStep: usize, out: usize, outBytes: usize): void {
  for (let i: usize = 0; i < n; i++) {
    target = out;
    for (let j: usize = 0; j < m; j++) below(0, first + i, second + j, secondStep, 0, 0);
    out += outBytes;
  }
}
