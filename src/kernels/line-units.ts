/** Documents of a query by gain: which of one gain is where does not matter. */

export interface LineUnit {
  /** Not 0. */
  readonly gain: number;
  readonly documents: number;
  /** Other documents of the query. */
  readonly partners: number;
}

export interface UnitTables {
  readonly offsets: Uint32Array;
  readonly gain: Float64Array;
  /** NaN for queries that have none. */
  readonly norm: Float64Array;
}

export function unitsByQuery({ offsets, gain, norm }: UnitTables): LineUnit[][] {
  return Array.from(norm, (own, q) => (Number.isNaN(own) ? [] : lineUnits(gain, offsets[q]!, offsets[q + 1]!)));
}

/** Pairs that may cross: a document with a gain, and one with another. */
export function crossingsOf(tables: UnitTables): number {
  return unitsByQuery(tables).reduce(
    (sum, units) => units.reduce((own, { documents, partners }) => own + documents * partners, sum),
    0,
  );
}

/** Those of rows from..to, gains that are 0 left out. */
function lineUnits(gain: Float64Array, from: number, to: number): LineUnit[] {
  const counts = new Map<number, number>();
  for (let row = from; row < to; row++) {
    const own = gain[row]!;
    if (own !== 0) counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  return Array.from(counts, ([own, documents]) => ({ gain: own, documents, partners: to - from - documents })).sort(
    (a, b) => a.gain - b.gain,
  );
}
