/** Regions of a memory: none overlaps another, each on a cache line, with room for a vector behind it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Arena, arraysOf, f32, f64, growTo, i32, u8, u32 } from '#listwise/kernels/arena.js';

const region = fc.tuple(fc.constantFrom(u8, i32, u32, f32, f64), fc.nat(300)).map(([of, length]) => of(length));
const BYTES = { u8: 1, i32: 4, u32: 4, f32: 4, f64: 8 };

describe('arena', () => {
  it('keeps regions apart', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.dictionary(fc.string(), region, { minKeys: 1, maxKeys: 12 }), (start, regions) => {
        const arena = new Arena(start);
        const at = arena.takeAll(regions);
        let end = start;
        for (const [name, { type, length }] of Object.entries(regions)) {
          expect(at[name]! % 64).toBe(0);
          expect(at[name]).toBeGreaterThanOrEqual(end);
          end = at[name]! + BYTES[type] * length + 64;
        }
        expect(arena.bytes).toBeGreaterThanOrEqual(end);
        expect(arena.pages).toBe(Math.ceil(arena.bytes / 65536));
      }),
    );
  });

  it('shows regions as arrays of their types', () => {
    const arena = new Arena();
    const regions = { scores: f32(3), order: u32(5) };
    const at = arena.takeAll(regions);
    const { scores, order } = arraysOf(regions, at, arena.sharedMemory().buffer);
    expect(scores).toBeInstanceOf(Float32Array);
    expect(order).toBeInstanceOf(Uint32Array);
    expect([scores.byteOffset, scores.length, order.byteOffset, order.length]).toEqual([at.scores, 3, at.order, 5]);
  });

  it('grows a memory, never shrinks it', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
    growTo(memory, 65537);
    expect(memory.buffer.byteLength).toBe(131072);
    growTo(memory, 10);
    expect(memory.buffer.byteLength).toBe(131072);
  });
});
