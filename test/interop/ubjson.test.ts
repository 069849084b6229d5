/** XGBoost's binary JSON, written here by its own rules, is the model that the same JSON is. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importModel } from '#listwise/interop/convert.js';

function number(marker: string, bytes: number, write: (view: DataView) => void): Buffer {
  const view = new DataView(new ArrayBuffer(bytes));
  write(view);
  return Buffer.concat([Buffer.from(marker), Buffer.from(view.buffer)]);
}

const length = (value: number) => number('L', 8, view => view.setBigInt64(0, BigInt(value)));
const text = (value: string) => Buffer.concat([length(Buffer.byteLength(value)), Buffer.from(value)]);

/** As XGBoost writes it: lists of numbers by one type, other lists by their count. `plain` has neither. */
function encode(value: unknown, plain = false): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), text(value)]);
  if (typeof value === 'number') {
    return Number.isInteger(value)
      ? number('l', 4, view => view.setInt32(0, value))
      : number('d', 4, view => view.setFloat32(0, value));
  }
  if (typeof value === 'boolean') return Buffer.from(value ? 'T' : 'F');
  if (Array.isArray(value)) {
    const items = value.map(item => encode(item, plain));
    if (plain) return Buffer.concat([Buffer.from('['), ...items, Buffer.from(']')]);
    const typed = items.length > 0 && value.every(item => typeof item === 'number');
    if (!typed) return Buffer.concat([Buffer.from('[#'), length(items.length), ...items]);
    const floats = value.map(item => number('', 4, view => view.setFloat32(0, item as number)));
    return Buffer.concat([Buffer.from('[$d#'), length(items.length), ...floats]);
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const pairs = entries.flatMap(([key, item]) => [text(key), encode(item, plain)]);
  return Buffer.concat([Buffer.from('{'), ...pairs, Buffer.from('}')]);
}

describe('UBJSON', () => {
  const json = readFileSync(new URL('recorded/xgboost-dart.json', import.meta.url), 'utf8');

  it.each([false, true])('is the model that its JSON is (lists of single values: %s)', plain => {
    const bytes = encode(JSON.parse(json), plain);
    expect(importModel(bytes)).toEqual(importModel(json));
  });

  it('is refused where it is damaged', () => {
    const bytes = encode(JSON.parse(json));
    const fails = (content: Uint8Array) => () => importModel(content, { file: 'model.ubj' });
    for (const end of [12, 100, 2000, bytes.length - 1]) expect(fails(bytes.subarray(0, end))).toThrow('cut off');
    const wrong = Buffer.from(bytes);
    wrong[wrong.indexOf('[$d#') + 2] = '?'.charCodeAt(0);
    expect(fails(wrong)).toThrow(/model.ubj: it is not UBJSON: "\?" as the type of a list at byte \d+/);
    const endless = Buffer.from(bytes);
    endless.fill(0xff, endless.indexOf('[$d#') + 5, endless.indexOf('[$d#') + 13);
    expect(fails(endless)).toThrow('no length');
    const deep = Buffer.concat([Buffer.from('{'), text('learner'), Buffer.alloc(100_000, '[')]);
    expect(fails(deep)).toThrow('more than 100 lists');
  });
});
