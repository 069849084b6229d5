/**
 * A record in a memory that kernels or threads share, declared once: names and types of its fields, in order. Offsets
 * follow as in C, each field at a multiple of its size. Who writes and who reads it both go through a view, by name;
 * kernels see the same record as a class that the build writes (scripts/kernels.mjs).
 */
const TYPES = {
  i16: {
    bytes: 2,
    get: (memory: DataView, at: number) => memory.getInt16(at, true),
    set: (memory: DataView, at: number, value: number) => memory.setInt16(at, value, true),
  },
  u16: {
    bytes: 2,
    get: (memory: DataView, at: number) => memory.getUint16(at, true),
    set: (memory: DataView, at: number, value: number) => memory.setUint16(at, value, true),
  },
  i32: {
    bytes: 4,
    get: (memory: DataView, at: number) => memory.getInt32(at, true),
    set: (memory: DataView, at: number, value: number) => memory.setInt32(at, value, true),
  },
  u32: {
    bytes: 4,
    get: (memory: DataView, at: number) => memory.getUint32(at, true),
    set: (memory: DataView, at: number, value: number) => memory.setUint32(at, value, true),
  },
  f64: {
    bytes: 8,
    get: (memory: DataView, at: number) => memory.getFloat64(at, true),
    set: (memory: DataView, at: number, value: number) => memory.setFloat64(at, value, true),
  },
};

type Fields = Readonly<Record<string, keyof typeof TYPES>>;
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

  static accessor(type: keyof typeof TYPES, offset: number): PropertyDescriptor & ThisType<View> {
    const { get, set } = TYPES[type];
    return {
      get() {
        return get(this.#memory, this.#place + offset);
      },
      set(value: number) {
        set(this.#memory, this.#place + offset, value);
      },
    };
  }

  at(index: number): this {
    this.#place = this.#first + index * this.#bytes;
    return this;
  }

  write(values: object): void {
    Object.assign(this, values);
  }

  read(): object {
    const fields = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(this)));
    return Object.fromEntries(fields.flatMap(([name, { get }]) => (get ? [[name, get.call(this)]] : [])));
  }
}

export function defineRecord<const F extends Fields>(fields: F): RecordType<F> {
  class Own extends View {}
  const offset: Record<string, number> = {};
  let end = 0;
  let largest = 1;
  for (const [name, type] of Object.entries(fields)) {
    const { bytes } = TYPES[type];
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
