// What SoftRank's kernel keeps for one query, and the chances of a document's rivals.

import { SoftRegion } from '../layouts/smooth-ranks';
import { normal2, wide } from './float2';

let base: usize = 0;
let stride: usize = 0;
/** Room for the distributions of the first ranks. */
export let rows: usize = 0;

/** Regions of so many bytes each, and room for rows. */
export function layOut(start: usize, bytes: usize, after: usize): void {
  base = start;
  stride = bytes;
  rows = after;
}

@inline export function region(r: SoftRegion): usize {
  return base + <usize>r * stride;
}

/** win[i] = P(i beats j), density[i]; 0 for j itself and for what makes n even. */
export function chances(j: i32, n: i32, over: f64): void {
  const scores = region(SoftRegion.scores);
  const win = region(SoftRegion.win);
  const density = region(SoftRegion.density);
  const own = f64x2.splat(load<f64>(wide(scores, j)));
  const scale = f64x2.splat(over);
  for (let i = 0; i < n; i += 2) {
    const apart = f64x2.mul(f64x2.sub(v128.load(wide(scores, i)), own), scale);
    v128.store(wide(win, i), normal2(apart, wide(density, i)));
  }
  store<f64>(wide(win, j), 0);
  store<f64>(wide(density, j), 0);
}

/** Who won loses, but for j itself and what makes n even. Densities stay. */
export function turnOver(j: i32, n: i32): void {
  const win = region(SoftRegion.win);
  const one = f64x2.splat(1);
  for (let i = 0; i < n; i += 2) v128.store(wide(win, i), f64x2.sub(one, v128.load(wide(win, i))));
  store<f64>(wide(win, j), 0);
  store<f64>(wide(win, n), 0);
}
