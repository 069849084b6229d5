/** Lays out a memory: regions one after the other, by name, each on a cache line of its own. Addresses are in bytes. */

const PAGE_BYTES = 65536;
const LINE = 64;
/** Below this lies nothing: an address of 0 is always a mistake. */
const START = 1024;
/** Free after each region: kernels work on whole vectors, which may run past its end. */
const SLACK = 64;

/** The largest memory: what 32-bit addresses reach. */
export const MOST_BYTES = 2 ** 32;

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** Numbers of one type, as many as that. */
export interface Region<T extends keyof typeof ARRAYS = keyof typeof ARRAYS> {
  readonly type: T;
  readonly length: number;
}

type Regions = Readonly<Record<string, Region>>;
export type Addresses<R> = { readonly [K in keyof R]: number };
export type Arrays<R extends Regions> = { readonly [K in keyof R]: InstanceType<(typeof ARRAYS)[R[K]['type']]> };

export const u8 = (length: number): Region<'u8'> => ({ type: 'u8', length });
export const u16 = (length: number): Region<'u16'> => ({ type: 'u16', length });
export const i32 = (length: number): Region<'i32'> => ({ type: 'i32', length });
export const u32 = (length: number): Region<'u32'> => ({ type: 'u32', length });
export const f32 = (length: number): Region<'f32'> => ({ type: 'f32', length });
export const f64 = (length: number): Region<'f64'> => ({ type: 'f64', length });
/** Records side by side. */
export const records = ({ bytes }: { readonly bytes: number }, count: number): Region<'u8'> => u8(bytes * count);

export class Arena {
  #end: number;

  constructor(start = START) {
    this.#end = onLine(start);
  }

  /** Room for a region. */
  take({ type, length }: Region): number {
    const at = this.#end;
    this.#end = onLine(at + ARRAYS[type].BYTES_PER_ELEMENT * length + SLACK);
    return at;
  }

  takeAll<R extends Regions>(regions: R): Addresses<R> {
    return mapped(regions, region => this.take(region)) as Addresses<R>;
  }

  get bytes(): number {
    return this.#end;
  }

  get pages(): number {
    return Math.ceil(this.#end / PAGE_BYTES);
  }

  /** A memory of this size for good, which threads can share. */
  sharedMemory(): WebAssembly.Memory {
    return new WebAssembly.Memory({ initial: this.pages, maximum: this.pages, shared: true });
  }

  /** Makes a memory at least as large as this. */
  growInto(memory: WebAssembly.Memory): void {
    growTo(memory, this.#end);
  }
}

/** The regions as arrays over a memory. */
export function arraysOf<R extends Regions>(regions: R, at: Addresses<NoInfer<R>>, buffer: ArrayBuffer): Arrays<R> {
  return mapped(regions, ({ type, length }, name) => new ARRAYS[type](buffer, at[name]!, length)) as Arrays<R>;
}

/** Regions of float64 one after the other, all of the same length, as arrays by name. */
export function evenArrays<Name extends string>(
  names: readonly Name[],
  buffer: ArrayBuffer,
  start: number,
  length: number,
): Record<Name, Float64Array> {
  const arrays = names.map((name, r) => [name, new Float64Array(buffer, start + 8 * length * r, length)]);
  return Object.fromEntries(arrays) as Record<Name, Float64Array>;
}

export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  // Another thread may have grown it: growing by nothing brings `buffer` up to date.
  if (bytes > memory.buffer.byteLength) memory.grow(0);
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

function onLine(address: number): number {
  return LINE * Math.ceil(address / LINE);
}

function mapped<R extends Regions, V>(regions: R, value: (region: Region, name: string) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(regions).map(([name, region]) => [name, value(region, name)]));
}
