import { describe, expect, it } from 'vitest';
import { DenseKernel } from '#listwise/kernels/dense.js';
import { activations } from '#listwise/kernels/layouts/dense.js';
import { type NetShape, padded, paddedLayout, parameterCount } from '#listwise/kernels/net-shape.js';
import { Random } from '#listwise/numeric/random.js';
import { DenseReference } from './dense.reference.js';

/** The kernel and the reference on the same random rows, lambdas and parameters. */
function both(shape: NetShape, n: number) {
  const random = new Random(7);
  const count = parameterCount(shape);
  const parameters = Float64Array.from({ length: count }, () => Math.fround(random.gaussian() / 4));
  const rows = Float64Array.from({ length: n * shape.inputs }, () => Math.fround(random.gaussian()));
  const lambda = Float64Array.from({ length: n }, () => Math.fround(random.gaussian()));

  const reference = new DenseReference(shape, n);
  const scores = new Float64Array(n);
  const gradient = new Float64Array(count);
  reference.forward(parameters, rows, n, scores);
  reference.backward(parameters, rows, n, lambda, gradient);

  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
  const floats = new Float32Array(memory.buffer);
  const layout = paddedLayout(shape);
  const stride = padded(shape.inputs);
  const at = { list: 64, parameters: 64 + 4 * n, gradient: 0, rows: 0, lambda: 0, out: 0, scratch: 0 };
  at.gradient = at.parameters + 4 * layout.size;
  at.lambda = at.gradient + 4 * layout.size;
  at.out = at.lambda + 4 * n;
  at.rows = at.out + 4 * n;
  at.scratch = at.rows + 4 * n * stride;
  const kernel = new DenseKernel(memory, shape, at.scratch, n);
  for (let i = 0; i < count; i++) floats[at.parameters / 4 + layout.place[i]!] = parameters[i]!;
  for (let i = 0; i < n; i++) {
    // Rows in reverse: only the list says where they are.
    const address = at.rows + 4 * stride * (n - 1 - i);
    new Uint32Array(memory.buffer)[at.list / 4 + i] = address;
    floats.set(rows.subarray(i * shape.inputs, (i + 1) * shape.inputs), address / 4);
    floats[at.lambda / 4 + i] = lambda[i]!;
  }
  kernel.forward(at.parameters, at.list, n, at.out);
  kernel.backward(at.parameters, at.list, n, at.lambda, at.gradient);
  return {
    scores,
    gradient,
    kernelScores: floats.slice(at.out / 4, at.out / 4 + n),
    kernelGradient: Float64Array.from(layout.place, p => floats[at.gradient / 4 + p]!),
  };
}

/** The largest difference over the largest value. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  let scale = 1e-9;
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i]! - b[i]!));
    scale = Math.max(scale, Math.abs(a[i]!));
  }
  return a.length === b.length ? most / scale : Number.NaN;
}

describe('dense kernel', () => {
  for (const activation of activations) {
    for (const hidden of [[], [10], [3], [4], [13], [12, 5], [24, 7, 4], [30]]) {
      it(`equals the reference: hidden ${hidden.join(', ') || 'none'}, ${activation}`, () => {
        for (const inputs of [1, 5, 136]) {
          const { scores, gradient, kernelScores, kernelGradient } = both({ inputs, hidden, activation }, 24);
          expect(difference(scores, kernelScores)).toBeLessThan(1e-5);
          expect(difference(gradient, kernelGradient)).toBeLessThan(1e-5);
        }
      });
    }
  }

  it('stays finite for large activations', () => {
    for (const activation of activations) {
      const shape: NetShape = { inputs: 4, hidden: [4], activation };
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      const floats = new Float32Array(memory.buffer);
      const layout = paddedLayout(shape);
      new Uint32Array(memory.buffer).set([1024, 1024, 1024, 1024], 16);
      floats.set([1e4, -1e4, 3e4, 2e4], 256);
      layout.place.forEach((p, i) => {
        floats[512 + p] = i % 2 ? 1 : -1;
      });
      const kernel = new DenseKernel(memory, shape, 8192, 4);
      kernel.forward(2048, 64, 4, 128);
      expect(floats.slice(32, 36).every(Number.isFinite)).toBe(true);
    }
  });
});
