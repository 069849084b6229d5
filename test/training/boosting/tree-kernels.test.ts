/**
 * Kernels of boosting against the obvious computation: binning, sorting, turning columns into rows, taking rows to
 * their side.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTreeKernels } from '#listwise/training/boosting/tasks/tree-kernels.js';

const memory = new WebAssembly.Memory({ initial: 8, maximum: 65536, shared: true });
const { binning, partition } = loadTreeKernels(memory);
const EDGES = 1024;
const VALUES = 8192;
const OUT = 65536;
const SCRATCH = 2 * 65536;

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.float({ noNaN: true }),
  fc.constantFrom(0, -0, Infinity, -Infinity),
);
const floats = (at: number, n: number) => new Float32Array(memory.buffer, at, n);
const bytes = (at: number, n: number) => new Uint8Array(memory.buffer, at, n);

describe('kernels of boosting', () => {
  it('bin a value by the number of edges below it, NaN as missing', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 254 }),
        fc.array(fc.oneof(value, fc.constant(NaN), fc.nat(253)), { maxLength: 40 }),
        (unsorted, wanted) => {
          const edges = Float32Array.from(unsorted).sort();
          floats(EDGES, 256).fill(Infinity).set(edges);
          // Whole numbers stand for a value exactly on an edge.
          const values = Float32Array.from(wanted, v =>
            Number.isInteger(v) && edges[v] !== undefined ? edges[v]! : v,
          );
          floats(VALUES, values.length).set(values);
          const missing = binning.binColumn(VALUES, values.length, EDGES, OUT);
          const plain = [...values].map(v => (Number.isNaN(v) ? 255 : edges.filter(edge => edge < v).length));
          expect([...bytes(OUT, values.length)]).toEqual(plain.map(bin => Math.min(bin, 255)));
          expect(missing).toBe(values.filter(Number.isNaN).length);
        },
      ),
    );
  });

  it('sort as numbers do', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), wanted => {
        const values = floats(VALUES, wanted.length);
        values.set(wanted);
        const sorted = Float32Array.from(values).sort();
        binning.sortFloats(VALUES, wanted.length, SCRATCH, OUT);
        expect([...values]).toEqual([...sorted]);
      }),
    );
  });

  it('turn columns into rows at any stride', () => {
    fc.assert(
      fc.property(fc.nat(70), fc.nat(20), fc.constantFrom(8, 16, 24, 40), fc.integer(), (n, first, stride, seed) => {
        const apart = first + n + 3;
        const columns = bytes(VALUES, 8 * apart);
        for (let i = 0; i < columns.length; i++) columns[i] = Math.imul(i + 1, seed | 1) >>> 11;
        bytes(OUT, stride * n).fill(7);
        // Columns lie in any order.
        const places = [3, 1, 7, 0, 2, 6, 4, 5];
        new Uint32Array(memory.buffer, SCRATCH, 8).set(places.map(place => VALUES + place * apart));
        binning.rowsOfColumns(SCRATCH, first, first + n, OUT, stride);
        const plain = Array.from({ length: stride * n }, (_, o) => {
          const [row, k] = [Math.floor(o / stride), o % stride];
          return k < 8 ? columns[places[k]! * apart + first + row]! : 7;
        });
        expect([...bytes(OUT, stride * n)]).toEqual(plain);
      }),
    );
  });

  it('take rows to their side, from either copy of the bins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(255), { minLength: 1, maxLength: 60 }),
        fc.nat(255),
        fc.constantFrom(0, 3),
        (bins, split, shift) => {
          bins.forEach((bin, row) => {
            bytes(OUT, 1024)[row << shift] = bin;
          });
          const left = bytes(EDGES, 256);
          for (let bin = 0; bin < 256; bin++) left[bin] = Number(bin <= split);
          const rows = bins.map((_, row) => row).filter(row => row % 3 !== 1);
          new Uint32Array(memory.buffer, VALUES, rows.length).set(rows);
          const lefts = partition.partitionRows(OUT, shift, EDGES, VALUES, rows.length, SCRATCH);
          const out = [...new Uint32Array(memory.buffer, SCRATCH, rows.length)];
          expect(out.slice(0, lefts)).toEqual(rows.filter(row => bins[row]! <= split));
          expect(out.slice(lefts).reverse()).toEqual(rows.filter(row => bins[row]! > split));
        },
      ),
    );
  });
});
