/**
 * Protocol buffers by a schema of messages: as much of the wire format as ONNX needs, without code made at run time.
 * Numbers that repeat are written packed and read either way; fields that the schema does not know are passed over.
 */

export type FieldType = 'int32' | 'int64' | 'float' | 'string' | 'bytes';

/** How often a field stands, its type (a name of the schema is a message), and its number. */
export type Field = readonly [rule: 'one' | 'many', type: string, id: number];
export type Schema = Readonly<Record<string, Readonly<Record<string, Field>>>>;
export type Message = Readonly<Record<string, unknown>>;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const wireTypes: Readonly<Record<string, number>> = { int32: VARINT, int64: VARINT, float: FIXED32 };

/** Messages in messages: deeper ones are no model, but would end the stack. */
const MOST_NESTED = 100;

const text = { encoder: new TextEncoder(), decoder: new TextDecoder() };

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + more));
    grown.set(this.finish());
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  varint(value: number): void {
    this.#reserve(10);
    // A negative number is written as its 64-bit two's complement.
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  float(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Fields in the order of their numbers. */
export function encodeMessage(schema: Schema, type: string, message: Message): Uint8Array {
  const out = new Writer();
  const fields = Object.entries(schema[type]!).sort(([, [, , a]], [, [, , b]]) => a - b);
  const tag = (id: number, wire: number) => out.varint(8 * id + wire);
  for (const [name, [rule, type, id]] of fields) {
    const value = message[name];
    if (value === undefined) continue;
    const values = rule === 'many' ? (value as readonly unknown[]) : [value];
    const wire = wireTypes[type] ?? BYTES;
    if (rule === 'many' && wire !== BYTES) {
      if (values.length === 0) continue;
      const packed = new Writer();
      for (const one of values as readonly number[]) {
        if (wire === VARINT) packed.varint(one);
        else packed.float(one);
      }
      tag(id, BYTES);
      out.bytes(packed.finish());
      continue;
    }
    for (const one of values) {
      tag(id, wire);
      if (wire === VARINT) out.varint(one as number);
      else if (wire === FIXED32) out.float(one as number);
      else if (type === 'string') out.bytes(text.encoder.encode(one as string));
      else if (type === 'bytes') out.bytes(one as Uint8Array);
      else out.bytes(encodeMessage(schema, type, one as Message));
    }
  }
  return out.finish();
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1)[0]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
    throw new RangeError('a number of more than 10 bytes');
  }

  float(): number {
    const at = this.#at;
    this.#take(4);
    return this.#view.getFloat32(at, true);
  }

  bytes(): Uint8Array {
    const length = this.varint();
    if (length < 0) throw new RangeError('a negative length');
    return this.#take(length);
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint();
    else if (wire === FIXED64) this.#take(8);
    else if (wire === FIXED32) this.#take(4);
    else if (wire === BYTES) this.bytes();
    else throw new RangeError(`a field of wire type ${wire}`);
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new RangeError('the bytes end within a field');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Throws where the bytes are no message of the schema. Fields that are not there are not in what comes back. */
export function decodeMessage(schema: Schema, type: string, bytes: Uint8Array, depth = 0): Message {
  if (depth > MOST_NESTED) throw new RangeError(`messages nested more than ${MOST_NESTED} deep`);
  const fields = new Map(Object.entries(schema[type]!).map(([name, field]) => [field[2], { name, field }]));
  const reader = new Reader(bytes);
  const message: Record<string, unknown> = {};
  while (reader.more) {
    const tag = reader.varint();
    const wire = tag & 7;
    const known = fields.get(Math.floor(tag / 8));
    if (known === undefined) {
      reader.skip(wire);
      continue;
    }
    const { name, field } = known;
    const [rule, type] = field;
    const own = wireTypes[type] ?? BYTES;
    const one = (from: Reader): unknown => {
      if (own === VARINT) return from.varint();
      if (own === FIXED32) return from.float();
      const content = from.bytes();
      if (type === 'bytes') return content;
      if (type === 'string') return text.decoder.decode(content);
      return decodeMessage(schema, type, content, depth + 1);
    };
    if (rule === 'one') {
      if (wire !== own) throw new RangeError(`field ${name} has wire type ${wire}`);
      message[name] = one(reader);
      continue;
    }
    const values = (message[name] ??= []) as unknown[];
    if (wire === own) values.push(one(reader));
    else if (wire === BYTES) for (const packed = new Reader(reader.bytes()); packed.more; ) values.push(one(packed));
    else throw new RangeError(`field ${name} has wire type ${wire}`);
  }
  return message;
}
