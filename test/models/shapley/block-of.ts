import { expect } from 'vitest';

/** Rows as a block whose columns stand in reverse order. */
export function blockOf(rows: Float32Array, features: number) {
  const n = rows.length / features;
  const data = new Float32Array(n * features);
  for (let i = 0; i < n; i++)
    for (let f = 0; f < features; f++) data[(features - 1 - f) * n + i] = rows[i * features + f]!;
  return {
    block: { start: 0, rows: n, stride: n, data },
    columns: Int32Array.from({ length: features }, (_, f) => features - 1 - f),
  };
}

export const close = (found: ArrayLike<number>, wanted: ArrayLike<number>, within: number) => {
  for (let i = 0; i < wanted.length; i++) expect(Math.abs(found[i]! - wanted[i]!), `at ${i}`).toBeLessThan(within);
};
