/** Records: offsets as in C, views that write and read them, and the kernels' classes of them. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineRecord } from '#listwise/kernels/record.js';

const record = defineRecord({ a: 'u16', b: 'f64', c: 'i16', d: 'i32', e: 'u32' });

describe('records', () => {
  it('put each field at a multiple of its size, and records at one of the largest', () => {
    expect(record.offset).toEqual({ a: 0, b: 8, c: 16, d: 20, e: 24 });
    expect(record.bytes).toBe(32);
  });

  it('give back what was written, at any place of a list', () => {
    const buffer = new ArrayBuffer(1024);
    const values = fc.record({
      a: fc.integer({ min: 0, max: 65535 }),
      b: fc.double({ noNaN: true }),
      c: fc.integer({ min: -32768, max: 32767 }),
      d: fc.integer(),
      e: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 8 }), list => {
        const written = record.view(buffer, 64);
        list.forEach((own, i) => {
          written.at(i).write(own);
        });
        const read = record.view(buffer, 64);
        expect(list.map((_, i) => read.at(i).read())).toEqual(list);
        expect(list.map((_, i) => read.at(i).e)).toEqual(list.map(own => own.e));
      }),
    );
  });

  it('have no field of a name that views have themselves', () => {
    for (const name of ['at', 'read', 'write', 'constructor']) {
      expect(() => defineRecord({ [name]: 'i32' })).toThrow(`cannot be called ${name}`);
    }
  });

  it('take a field alone and leave the others', () => {
    const view = record.view(new ArrayBuffer(96), 32);
    view.write({ a: 1, b: 2, c: 3, d: 4, e: 5 });
    view.d = -7;
    expect(view.read()).toEqual({ a: 1, b: 2, c: 3, d: -7, e: 5 });
  });

  it('have fields of any name', () => {
    const view = defineRecord({ bytes: 'i32', first: 'i32', memory: 'i32' }).view(new ArrayBuffer(96), 0);
    view.at(1).write({ bytes: 1, first: 2, memory: 3 });
    expect(view.at(0).read()).toEqual({ bytes: 0, first: 0, memory: 0 });
    expect(view.at(1).read()).toEqual({ bytes: 1, first: 2, memory: 3 });
  });

  it('are classes of the same fields for the kernels', () => {
    const text = readFileSync(new URL('../../src/kernels/assembly/layouts/boosting.ts', import.meta.url), 'utf8');
    expect(text).toContain(
      'export const SPLIT_BYTES: usize = 32;\n@unmanaged export class Split {\n  gain!: f64;\n  bin!: i32;\n',
    );
  });
});
