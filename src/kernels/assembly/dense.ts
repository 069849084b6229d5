// asc: --enable threads --sharedMemory --maximumMemory 65536
// Forward and backward of dense layers, four rows at a time in float32. The reference is
// test/kernels/dense.reference.ts.
//
// Rows of the input are given as a list of addresses, so that documents of a batch or of a pair need no copying; a row
// is padded with zeros to a multiple of 4 values. `n` is a multiple of 4. A hidden layer's units are padded to a
// multiple of 4 with zero weights. Its weights lie in tiles of 12 units (then 4): [tile][input][unit of the tile], so
// that an inner loop holds 4 rows x 12 units in registers and reads weights in sequence. Outputs of a layer are
// [row][padded unit].

import { sum } from './common/float4';
import { Activations, TILE_UNITS } from './layouts/dense';

const TILE = <i32>TILE_UNITS;

@inline function row(rows: usize, i: i32): usize {
  return <usize>load<u32>(rows + (<usize>i << 2));
}

/** a + x y */
@inline function fma(a: v128, x: v128, y: v128): v128 {
  return f32x4.add(a, f32x4.mul(x, y));
}

/** e^x for |x| <= 87, relative error about 2e-7. */
@inline function exp4(x: v128): v128 {
  const t = f32x4.mul(x, f32x4.splat(1.44269504));
  const whole = f32x4.nearest(t);
  const f = f32x4.sub(t, whole);
  let p = f32x4.splat(0.000154035304);
  p = fma(f32x4.splat(0.00133335581), p, f);
  p = fma(f32x4.splat(0.0096181291), p, f);
  p = fma(f32x4.splat(0.0555041087), p, f);
  p = fma(f32x4.splat(0.240226507), p, f);
  p = fma(f32x4.splat(0.693147181), p, f);
  p = fma(f32x4.splat(1), p, f);
  return f32x4.mul(p, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23));
}

@inline function clamp(x: v128, bound: f32): v128 {
  return f32x4.min(f32x4.max(x, f32x4.splat(-bound)), f32x4.splat(bound));
}

/** In place over `bytes` bytes. */
export function activate(values: usize, bytes: usize, kind: i32): void {
  const one = f32x4.splat(1);
  const end = values + bytes;
  if (kind == Activations.tanh) {
    for (let p = values; p < end; p += 16) {
      const x = clamp(v128.load(p), 9);
      v128.store(p, f32x4.sub(one, f32x4.div(f32x4.splat(2), f32x4.add(exp4(f32x4.add(x, x)), one))));
    }
  } else if (kind == Activations.sigmoid) {
    for (let p = values; p < end; p += 16) {
      v128.store(p, f32x4.div(one, f32x4.add(exp4(clamp(f32x4.neg(v128.load(p)), 87)), one)));
    }
  } else {
    for (let p = values; p < end; p += 16) v128.store(p, f32x4.max(v128.load(p), f32x4.splat(0)));
  }
}

/** out = base + step change over `bytes` bytes. */
export function advance(base: usize, change: usize, step: f32, bytes: usize, out: usize): void {
  const by = f32x4.splat(step);
  for (let i: usize = 0; i < bytes; i += 16) v128.store(out + i, fma(v128.load(base + i), by, v128.load(change + i)));
}

/** The derivative of an activation, from its value. */
@inline function derivative(a: v128, kind: i32): v128 {
  const one = f32x4.splat(1);
  if (kind == Activations.tanh) return f32x4.sub(one, f32x4.mul(a, a));
  if (kind == Activations.sigmoid) return f32x4.mul(a, f32x4.sub(one, a));
  return v128.and(f32x4.gt(a, f32x4.splat(0)), one);
}

function forward12(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, w: usize, bias: usize, out: usize, stride: usize): void {
  let a0 = v128.load(bias), a1 = v128.load(bias, 16), a2 = v128.load(bias, 32);
  let b0 = a0, b1 = a1, b2 = a2, c0 = a0, c1 = a1, c2 = a2, d0 = a0, d1 = a1, d2 = a2;
  for (let f: usize = 0; f < bytes; f += 4) {
    const w0 = v128.load(w), w1 = v128.load(w, 16), w2 = v128.load(w, 32);
    w += 48;
    let x = v128.load32_splat(x0 + f);
    a0 = fma(a0, x, w0); a1 = fma(a1, x, w1); a2 = fma(a2, x, w2);
    x = v128.load32_splat(x1 + f);
    b0 = fma(b0, x, w0); b1 = fma(b1, x, w1); b2 = fma(b2, x, w2);
    x = v128.load32_splat(x2 + f);
    c0 = fma(c0, x, w0); c1 = fma(c1, x, w1); c2 = fma(c2, x, w2);
    x = v128.load32_splat(x3 + f);
    d0 = fma(d0, x, w0); d1 = fma(d1, x, w1); d2 = fma(d2, x, w2);
  }
  v128.store(out, a0); v128.store(out, a1, 16); v128.store(out, a2, 32); out += stride;
  v128.store(out, b0); v128.store(out, b1, 16); v128.store(out, b2, 32); out += stride;
  v128.store(out, c0); v128.store(out, c1, 16); v128.store(out, c2, 32); out += stride;
  v128.store(out, d0); v128.store(out, d1, 16); v128.store(out, d2, 32);
}

function forward4(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, w: usize, bias: usize, out: usize, stride: usize): void {
  let a = v128.load(bias), b = a, c = a, d = a;
  for (let f: usize = 0; f < bytes; f += 4) {
    const v = v128.load(w);
    w += 16;
    a = fma(a, v128.load32_splat(x0 + f), v);
    b = fma(b, v128.load32_splat(x1 + f), v);
    c = fma(c, v128.load32_splat(x2 + f), v);
    d = fma(d, v128.load32_splat(x3 + f), v);
  }
  v128.store(out, a); out += stride;
  v128.store(out, b); out += stride;
  v128.store(out, c); out += stride;
  v128.store(out, d);
}

/** out[row][unit] = bias + sum over inputs of x w, before the activation. */
export function hidden(rows: usize, n: i32, inputs: i32, units: i32, weights: usize, bias: usize, out: usize): void {
  const bytes = <usize>inputs << 2;
  const stride = <usize>units << 2;
  for (let i = 0; i < n; i += 4) {
    const x0 = row(rows, i), x1 = row(rows, i + 1), x2 = row(rows, i + 2), x3 = row(rows, i + 3);
    let u: i32 = 0;
    for (; u + TILE <= units; u += TILE) forward12(x0, x1, x2, x3, bytes, weights + <usize>u * bytes, bias + (<usize>u << 2), out + (<usize>u << 2), stride);
    for (; u < units; u += 4) forward4(x0, x1, x2, x3, bytes, weights + <usize>u * bytes, bias + (<usize>u << 2), out + (<usize>u << 2), stride);
    out += stride << 2;
  }
}

/** out[row] = bias + dot product with the weights; `inputs` is padded to a multiple of 4. */
export function output(rows: usize, n: i32, inputs: i32, weights: usize, bias: usize, out: usize): void {
  const bytes = <usize>inputs << 2;
  const b = load<f32>(bias);
  for (let i = 0; i < n; i += 4) {
    outputOf(row(rows, i), row(rows, i + 1), row(rows, i + 2), row(rows, i + 3), bytes, weights, b, out + (<usize>i << 2));
  }
}

function outputOf(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, weights: usize, bias: f32, out: usize): void {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  for (let f: usize = 0; f < bytes; f += 16) {
    const w = v128.load(weights + f);
    a = fma(a, v128.load(x0 + f), w);
    b = fma(b, v128.load(x1 + f), w);
    c = fma(c, v128.load(x2 + f), w);
    d = fma(d, v128.load(x3 + f), w);
  }
  store<f32>(out, bias + sum(a));
  store<f32>(out, bias + sum(b), 4);
  store<f32>(out, bias + sum(c), 8);
  store<f32>(out, bias + sum(d), 12);
}

/** Adds the gradient of the output layer: lambda x to the weights, lambda to the bias. */
export function outputBack(rows: usize, n: i32, inputs: i32, lambda: usize, weights: usize, bias: usize): void {
  const bytes = <usize>inputs << 2;
  let total = f32x4.splat(0);
  for (let i = 0; i < n; i += 4) {
    const l = lambda + (<usize>i << 2);
    total = f32x4.add(total, v128.load(l));
    outputBackOf(row(rows, i), row(rows, i + 1), row(rows, i + 2), row(rows, i + 3), bytes, l, weights);
  }
  store<f32>(bias, load<f32>(bias) + sum(total));
}

function outputBackOf(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, lambda: usize, weights: usize): void {
  const a = v128.load32_splat(lambda), b = v128.load32_splat(lambda, 4), c = v128.load32_splat(lambda, 8), d = v128.load32_splat(lambda, 12);
  for (let f: usize = 0; f < bytes; f += 16) {
    const left = fma(f32x4.mul(a, v128.load(x0 + f)), b, v128.load(x1 + f));
    const right = fma(f32x4.mul(c, v128.load(x2 + f)), d, v128.load(x3 + f));
    v128.store(weights + f, f32x4.add(v128.load(weights + f), f32x4.add(left, right)));
  }
}

/** delta[row][unit] = lambda w f'(a): what reaches the last hidden layer. */
export function outputDelta(values: usize, n: i32, units: i32, weights: usize, lambda: usize, kind: i32, delta: usize): void {
  const bytes = <usize>units << 2;
  for (let i = 0; i < n; i++) {
    const l = v128.load32_splat(lambda + (<usize>i << 2));
    for (let u: usize = 0; u < bytes; u += 16) {
      v128.store(delta + u, f32x4.mul(f32x4.mul(l, v128.load(weights + u)), derivative(v128.load(values + u), kind)));
    }
    values += bytes;
    delta += bytes;
  }
}

function backward12(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, delta: usize, stride: usize, w: usize): void {
  const a0 = v128.load(delta), a1 = v128.load(delta, 16), a2 = v128.load(delta, 32); delta += stride;
  const b0 = v128.load(delta), b1 = v128.load(delta, 16), b2 = v128.load(delta, 32); delta += stride;
  const c0 = v128.load(delta), c1 = v128.load(delta, 16), c2 = v128.load(delta, 32); delta += stride;
  const d0 = v128.load(delta), d1 = v128.load(delta, 16), d2 = v128.load(delta, 32);
  for (let f: usize = 0; f < bytes; f += 4) {
    const p = v128.load32_splat(x0 + f), q = v128.load32_splat(x1 + f), r = v128.load32_splat(x2 + f), s = v128.load32_splat(x3 + f);
    v128.store(w, f32x4.add(v128.load(w), f32x4.add(fma(f32x4.mul(p, a0), q, b0), fma(f32x4.mul(r, c0), s, d0))));
    v128.store(w, f32x4.add(v128.load(w, 16), f32x4.add(fma(f32x4.mul(p, a1), q, b1), fma(f32x4.mul(r, c1), s, d1))), 16);
    v128.store(w, f32x4.add(v128.load(w, 32), f32x4.add(fma(f32x4.mul(p, a2), q, b2), fma(f32x4.mul(r, c2), s, d2))), 32);
    w += 48;
  }
}

function backward4(x0: usize, x1: usize, x2: usize, x3: usize, bytes: usize, delta: usize, stride: usize, w: usize): void {
  const a = v128.load(delta), b = v128.load(delta + stride), c = v128.load(delta + 2 * stride), d = v128.load(delta + 3 * stride);
  for (let f: usize = 0; f < bytes; f += 4) {
    const left = fma(f32x4.mul(v128.load32_splat(x0 + f), a), v128.load32_splat(x1 + f), b);
    const right = fma(f32x4.mul(v128.load32_splat(x2 + f), c), v128.load32_splat(x3 + f), d);
    v128.store(w, f32x4.add(v128.load(w), f32x4.add(left, right)));
    w += 16;
  }
}

/** Adds the gradient of a hidden layer: delta x to the weights, delta to the bias. */
export function hiddenBack(rows: usize, n: i32, inputs: i32, units: i32, delta: usize, weights: usize, bias: usize): void {
  const bytes = <usize>inputs << 2;
  const stride = <usize>units << 2;
  for (let i = 0; i < n; i += 4) {
    const x0 = row(rows, i), x1 = row(rows, i + 1), x2 = row(rows, i + 2), x3 = row(rows, i + 3);
    let u: i32 = 0;
    for (; u + TILE <= units; u += TILE) backward12(x0, x1, x2, x3, bytes, delta + (<usize>u << 2), stride, weights + <usize>u * bytes);
    for (; u < units; u += 4) backward4(x0, x1, x2, x3, bytes, delta + (<usize>u << 2), stride, weights + <usize>u * bytes);
    for (let b: usize = 0; b < stride; b += 16) {
      const four = f32x4.add(
        f32x4.add(v128.load(delta + b), v128.load(delta + stride + b)),
        f32x4.add(v128.load(delta + 2 * stride + b), v128.load(delta + 3 * stride + b)));
      v128.store(bias + b, f32x4.add(v128.load(bias + b), four));
    }
    delta += stride << 2;
  }
}

/**
 * below[row][input] = f'(a) sum over units of w delta: what reaches the hidden layer below, which has `inputs` units.
 */
export function hiddenDelta(
  values: usize, n: i32, inputs: i32, units: i32, weights: usize, delta: usize, kind: i32, below: usize,
): void {
  const bytes = <usize>inputs << 2;
  const padded = (bytes + 15) & ~15;
  const stride = <usize>units << 2;
  for (let i = 0; i < n; i++) {
    for (let f: i32 = 0; f < inputs; f++) store<f32>(below + (<usize>f << 2), reaching(weights, bytes, f, units, delta));
    for (let f: usize = 0; f < padded; f += 16) v128.store(below + f, f32x4.mul(v128.load(below + f), derivative(v128.load(values + f), kind)));
    values += padded;
    below += padded;
    delta += stride;
  }
}

@inline function reaching(weights: usize, bytes: usize, f: i32, units: i32, delta: usize): f32 {
  let total = f32x4.splat(0);
  let u: i32 = 0;
  for (; u + TILE <= units; u += TILE) {
    const w = weights + <usize>u * bytes + <usize>f * 48;
    const d = delta + (<usize>u << 2);
    total = fma(fma(fma(total, v128.load(w), v128.load(d)), v128.load(w, 16), v128.load(d, 16)), v128.load(w, 32), v128.load(d, 32));
  }
  for (; u < units; u += 4) total = fma(total, v128.load(weights + <usize>u * bytes + <usize>f * 16), v128.load(delta + (<usize>u << 2)));
  return sum(total);
}
