/**
 * A record in a memory that kernels or threads share, declared once: names and types of its fields, in order. Offsets
 * follow as in C, each field at a multiple of its size. Who writes and who reads it both go through a view, by name;
 * kernels see the same record as a class that the build writes (scripts/kernels.mjs).
 */
const BYTES = { i16: 2, u16: 2, i32: 4, u32: 4, f64: 8 };

type Fields = Readonly<Record<string, keyof typeof BYTES>>;
type Values<F extends Fields> = { -readonly [K in keyof F]: number };

/** The record at one place; `at` takes the view to another. Not for loops over rows: those use typed arrays. */
export type RecordView<F extends Fields> = Values<F> & {
  /** Goes to the record so many after the first. */
  at(index: number): RecordView<F>;
  /** Sets every field. */
  write(values: Readonly<Values<F>>): void;
  /** Every field, as they are now. */
  read(): Values<F>;
};

export interface RecordType<F extends Fields> {
  readonly fields: F;
  /** From one record to the next. */
  readonly bytes: number;
  readonly offset: Readonly<Values<F>>;
  /** Of the record at an address, or of a list that begins there. */
  view(buffer: ArrayBuffer, address: number): RecordView<F>;
}

/** What the views of all records have; accessors of its fields are added for each. */
class View {
  readonly #memory: DataView;
  readonly #first: number;
  readonly #bytes: number;
  #place: number;

  constructor(memory: DataView, first: number, bytes: number) {
    this.#memory = memory;
    this.#first = first;
    this.#bytes = bytes;
    this.#place = first;
  }

  /** Written out by type: an accessor that calls one of many functions is several times slower. */
  static accessor(type: keyof typeof BYTES, offset: number): PropertyDescriptor & ThisType<View> {
    switch (type) {
      case 'i16':
        return {
          get() {
            return this.#memory.getInt16(this.#place + offset, true);
          },
          set(value: number) {
            this.#memory.setInt16(this.#place + offset, value, true);
          },
        };
      case 'u16':
        return {
          get() {
            return this.#memory.getUint16(this.#place + offset, true);
          },
          set(value: number) {
            this.#memory.setUint16(this.#place + offset, value, true);
          },
        };
      case 'i32':
        return {
          get() {
            return this.#memory.getInt32(this.#place + offset, true);
          },
          set(value: number) {
            this.#memory.setInt32(this.#place + offset, value, true);
          },
        };
      case 'u32':
        return {
          get() {
            return this.#memory.getUint32(this.#place + offset, true);
          },
          set(value: number) {
            this.#memory.setUint32(this.#place + offset, value, true);
          },
        };
      case 'f64':
        return {
          get() {
            return this.#memory.getFloat64(this.#place + offset, true);
          },
          set(value: number) {
            this.#memory.setFloat64(this.#place + offset, value, true);
          },
        };
    }
  }

  at(index: number): this {
    this.#place = this.#first + index * this.#bytes;
    return this;
  }

  read(): object {
    const fields = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(this)));
    return Object.fromEntries(fields.flatMap(([name, { get }]) => (get ? [[name, get.call(this)]] : [])));
  }
}

export function defineRecord<const F extends Fields>(fields: F): RecordType<F> {
  const taken = Object.keys(fields).filter(name => name === 'write' || name in View.prototype);
  if (taken.length > 0) throw new RangeError(`a field of a record cannot be called ${taken[0]}: views have that name`);
  const names = Object.keys(fields);
  class Own extends View {
    /** By name: Object.assign takes several times as long to go through accessors. */
    write(this: Record<string, number>, values: Record<string, number>): void {
      for (const name of names) this[name] = values[name]!;
    }
  }
  const offset: Record<string, number> = {};
  let end = 0;
  let largest = 1;
  for (const [name, type] of Object.entries(fields)) {
    const bytes = BYTES[type];
    const at = bytes * Math.ceil(end / bytes);
    Object.defineProperty(Own.prototype, name, View.accessor(type, at));
    offset[name] = at;
    end = at + bytes;
    largest = Math.max(largest, bytes);
  }
  const bytes = largest * Math.ceil(end / largest);
  return {
    fields,
    bytes,
    offset: offset as Values<F>,
    view: (buffer, address) => new Own(new DataView(buffer), address, bytes) as View & RecordView<F>,
  };
}
