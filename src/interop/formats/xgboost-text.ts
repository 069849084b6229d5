/**
 * The two forms of XGBoost's model files: JSON, and Universal Binary JSON. Arrays of numbers are typed, and XGBoost
 * tells the types apart: real numbers have a point or an exponent in JSON, and a marker of their own in binary.
 */
import { isObject } from '../../io/is-object.js';
import { real } from './xgboost-rule.js';

export type TypedNumbers = Float32Array | Int32Array | Uint8Array | BigInt64Array;
export type XgboostValue = string | number | TypedNumbers | readonly XgboostValue[] | XgboostObject;
export interface XgboostObject {
  readonly [key: string]: XgboostValue;
}

export function printJson(value: XgboostValue): string {
  if (ArrayBuffer.isView(value))
    return `[${value instanceof Float32Array ? Array.from(value, real) : value.join(',')}]`;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries<XgboostValue>(value).map(([key, one]) => `${JSON.stringify(key)}:${printJson(one)}`)}}`;
}

/** Every length is of 64 bits: XGBoost reads no other. */
export function printUbjson(value: XgboostValue): Uint8Array {
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const put = (text: string) => void parts.push(encoder.encode(text));
  const number = (bytes: number, write: (view: DataView) => void) => {
    const view = new DataView(new ArrayBuffer(bytes));
    write(view);
    parts.push(new Uint8Array(view.buffer));
  };
  const length = (count: number) => {
    put('L');
    number(8, view => view.setBigInt64(0, BigInt(count)));
  };
  const text = (written: string) => {
    const bytes = encoder.encode(written);
    length(bytes.length);
    parts.push(bytes);
  };
  const typed = (values: TypedNumbers) => {
    const marker = values instanceof Float32Array ? 'd' : values instanceof Int32Array ? 'l' : undefined;
    put(`[$${marker ?? (values instanceof Uint8Array ? 'U' : 'L')}#`);
    length(values.length);
    number(values.byteLength, view => {
      values.forEach((one: number | bigint, i: number) => {
        const at = i * values.BYTES_PER_ELEMENT;
        if (typeof one === 'bigint') view.setBigInt64(at, one);
        else if (values instanceof Float32Array) view.setFloat32(at, one);
        else if (values instanceof Int32Array) view.setInt32(at, one);
        else view.setUint8(at, one);
      });
    });
  };
  const print = (one: XgboostValue): void => {
    if (typeof one === 'string') {
      put('S');
      text(one);
    } else if (typeof one === 'number') {
      put('l');
      number(4, view => view.setInt32(0, one));
    } else if (ArrayBuffer.isView(one)) typed(one);
    else if (Array.isArray(one)) {
      put('[#');
      length(one.length);
      one.forEach(print);
    } else {
      put('{');
      for (const [key, member] of Object.entries<XgboostValue>(one as XgboostObject)) {
        text(key);
        print(member);
      }
      put('}');
    }
  };
  print(value);
  return Buffer.concat(parts);
}
