/** How a state is JSON, which has no typed arrays and no NaN: both are written as objects. */

/** Numbers that go into one text. */
const MOST_FLOATS = 1 << 20;

export function encode(_key: string, value: unknown): unknown {
  if (value instanceof Float64Array) {
    const texts = Array.from({ length: Math.ceil(value.length / MOST_FLOATS) }, (_, i) => {
      const part = value.subarray(i * MOST_FLOATS, (i + 1) * MOST_FLOATS);
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64');
    });
    return { float64: texts };
  }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

export function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') value[i] = decoded(value[i]);
    return value;
  }
  if ('float64' in value && Array.isArray(value.float64)) return floats(value.float64);
  if ('number' in value && typeof value.number === 'string') return Number(value.number);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decoded(part)]));
}

function floats(texts: readonly unknown[]): Float64Array {
  const bytes = Uint8Array.from(Buffer.concat(texts.map(text => Buffer.from(String(text), 'base64'))));
  return new Float64Array(bytes.buffer);
}
