import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetBuilder, type Piece } from '#listwise/data/dataset-builder.js';
import { StringTable } from '#listwise/data/string-table.js';

interface Row {
  query: string;
  label: number;
  /** As many as the row gives; later features are absent. */
  features: number[];
  document: string;
}

/** Consecutive rows as a piece, with a stride of more than their number. */
function pieceOf(rows: readonly Row[], absent: number): Piece {
  const width = Math.max(0, ...rows.map(row => row.features.length));
  const stride = rows.length + 3;
  const columns = new Float32Array(width * stride).fill(absent);
  const queries: { id: string; rows: number }[] = [];
  for (const [i, row] of rows.entries()) {
    for (const [f, value] of row.features.entries()) columns[f * stride + i] = value;
    if (queries.at(-1)?.id === row.query) queries.at(-1)!.rows++;
    else queries.push({ id: row.query, rows: 1 });
  }
  return {
    rows: rows.length,
    width,
    stride,
    columns,
    labels: { label: Float64Array.from(rows, row => row.label) },
    queries,
    documentIds: rows.map(row => row.document),
  };
}

/** Small blocks, so that small data has many: of 100 rows for 10 features. */
const BLOCK_BYTES = 4000;

function build(pieces: readonly (readonly Row[])[], absent = 0) {
  const builder = new DatasetBuilder({ absent, blockBytes: BLOCK_BYTES });
  for (const rows of pieces) builder.append(pieceOf(rows, absent));
  return { data: builder.finish(), scattered: builder.scatteredQueries };
}

/** Rows of queries in the order in which the queries first appear. */
function grouped(rows: readonly Row[]): { row: Row; input: number }[] {
  const numbered = rows.map((row, input) => ({ row, input }));
  const queries = new Set(rows.map(row => row.query));
  return [...queries].flatMap(query => numbered.filter(({ row }) => row.query === query));
}

/** Builds the data set of the pieces and checks all of it. */
function expectRows(pieces: readonly (readonly Row[])[], absent = 0) {
  const rows = pieces.flat();
  const { data, scattered } = build(pieces, absent);
  const expected = grouped(rows);
  const width = Math.max(0, ...rows.map(row => row.features.length));
  expect(data.rows).toBe(rows.length);
  expect(data.features).toBe(width);
  for (let f = 0; f < width; f++) {
    expect(data.column(f)).toEqual(Float32Array.from(expected, ({ row }) => row.features[f] ?? absent));
  }
  expect([...data.label()]).toEqual(expected.map(({ row }) => row.label));
  expect(Array.from(expected, (_, i) => data.documentIds!.get(i))).toEqual(expected.map(({ row }) => row.document));
  expect(data.queryIds).toEqual([...new Set(rows.map(row => row.query))]);
  expect(Array.from(expected, (_, i) => queryOf(data.offsets, data.queryIds, i))).toEqual(
    expected.map(({ row }) => row.query),
  );
  const order = expected.map(({ input }) => input);
  const moved = order.some((input, i) => input !== i);
  expect(data.inputRows === undefined ? undefined : [...data.inputRows]).toEqual(scattered > 0 ? order : undefined);
  if (moved) expect(scattered).toBeGreaterThan(0);
  expectAligned(data.blocks, data.offsets);
  return data;
}

function queryOf(offsets: Uint32Array, ids: readonly string[], row: number): string {
  return ids[offsets.findIndex((_, q) => row < offsets[q + 1]!)]!;
}

/** Blocks follow each other without a gap and begin where queries do. */
function expectAligned(blocks: readonly { start: number; rows: number }[], offsets: Uint32Array): void {
  const starts = new Set(offsets);
  let next = 0;
  for (const block of blocks) {
    expect(block.start).toBe(next);
    expect(block.rows).toBeGreaterThan(0);
    expect(starts.has(block.start)).toBe(true);
    next += block.rows;
  }
  expect(next).toBe(offsets.at(-1));
}

function rowsOf(query: string, count: number, width: number, first = 0): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    query,
    label: (first + i) % 5,
    features: Array.from({ length: width }, (_, f) => first + i + f / 4),
    document: `d${first + i}`,
  }));
}

const anyRow = fc.record({
  query: fc.constantFrom('a', 'b', 'c', 'ü'),
  label: fc.integer({ min: -2, max: 4 }),
  features: fc.array(fc.float({ noNaN: false }).map(Math.fround), { maxLength: 6 }),
  document: fc.constantFrom('', 'x', 'é', 'document-1'),
});

describe('DatasetBuilder', () => {
  it('equals a naive model of an array of rows, for any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyRow, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, Number.NaN),
        (pieces, absent) => {
          expectRows(pieces, absent);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('cuts blocks at query ends', () => {
    const queries = Array.from({ length: 7 }, (_, q) => rowsOf(`q${q}`, 30, 10, 100 * q));
    expect(expectRows(queries).blocks.map(block => block.rows)).toEqual([90, 90, 30]);
  });

  it('moves the rows of a query that a block ends in, whatever the pieces', () => {
    const rows = Array.from({ length: 7 }, (_, q) => rowsOf(`q${q}`, 30, 10, 100 * q)).flat();
    for (const cuts of [
      [95, 96, 99, 110],
      [1, 2, 3],
      [89, 90, 91],
      [100, 200],
    ]) {
      const pieces = [0, ...cuts].map((cut, i) => rows.slice(cut, cuts[i]));
      expect(expectRows(pieces).blocks.map(block => block.rows)).toEqual([90, 90, 30]);
    }
  });

  it('keeps a query that is larger than a block in one', () => {
    const giant = rowsOf('giant', 3000, 10);
    const pieces = [rowsOf('small', 5, 10), giant.slice(0, 70), giant.slice(70, 1900), giant.slice(1900)];
    const data = expectRows([...pieces, rowsOf('last', 5, 10)]);
    expect(data.blocks[0]!.rows).toBe(5);
    expect(data.blocks.some(block => block.rows >= 3000)).toBe(true);
  });

  it.each([0, Number.NaN])('widens for features that turn up late, absent = %d', absent => {
    const pieces = Array.from({ length: 40 }, (_, p) => rowsOf(`q${p >> 1}`, 20, 1 + 3 * p, 100 * p));
    expectRows(pieces, absent);
  });

  it('does not make a block of every widening', () => {
    const pieces = Array.from({ length: 60 }, (_, p) => rowsOf(`q${p}`, 1, 1 + p, p));
    expect(expectRows(pieces).blocks.length).toBeLessThan(10);
  });

  it('widens a full narrow block into several', () => {
    const pieces = Array.from({ length: 90 }, (_, q) => rowsOf(`q${q}`, 11, 1, 11 * q));
    const data = expectRows([...pieces, rowsOf('wide', 1, 200)]);
    expect(Math.max(...data.blocks.map(block => block.rows))).toBeLessThanOrEqual(16);
  });

  it('groups rows of a query that are not adjacent and says where they were', () => {
    const [a, b, c] = [rowsOf('a', 3, 2), rowsOf('b', 2, 2, 10), rowsOf('a', 2, 2, 20)];
    const data = expectRows([a, b, c]);
    expect([...data.inputRows!]).toEqual([0, 1, 2, 5, 6, 3, 4]);
  });

  it('groups interleaved rows over many blocks', () => {
    const rows = Array.from({ length: 900 }, (_, i) => rowsOf(`q${i % 7}`, 1, 20, i)[0]!);
    expectRows([rows.slice(0, 400), rows.slice(400)]);
  });

  it('fills in document ids where only later pieces have them', () => {
    const builder = new DatasetBuilder({ absent: 0 });
    const first = pieceOf(rowsOf('a', 2, 1), 0);
    builder.append({ ...first, documentIds: undefined });
    builder.append({ ...pieceOf(rowsOf('b', 2, 1), 0), documentIds: StringTable.from(['x', '']) });
    const bytes = Buffer.from('..idé..');
    builder.append({ ...pieceOf(rowsOf('c', 2, 1), 0), documentIds: { bytes, spans: Uint32Array.of(2, 4, 0, 0) } });
    const data = builder.finish();
    expect([0, 1, 2, 3, 4, 5].map(row => data.documentId(row))).toEqual(['1', '2', 'x', '4', 'idé', '6']);
  });

  it('refuses a matrix that the machine cannot hold', () => {
    const builder = new DatasetBuilder({ absent: 0 });
    for (let q = 0; q < 100; q++) builder.append(pieceOf(rowsOf(`q${q}`, 1000, 1), 0));
    const wide = { ...pieceOf(rowsOf('wide', 1, 1), 0), width: 1 << 20, stride: 1, columns: new Float32Array(1 << 20) };
    expect(() => {
      builder.append(wide);
      builder.finish();
    }).toThrow(expect.objectContaining({ code: 'data-too-large' }));
  });

  it('refuses to be empty', () => {
    expect(() => new DatasetBuilder({ absent: 0 }).finish()).toThrow(expect.objectContaining({ code: 'data-empty' }));
  });
});

it('numbers more queries than one map holds', () => {
  const rows = ['a', 'b', 'a', 'c', 'd', 'e', 'b'].map(query => ({ query, label: 0, features: [1], document: '' }));
  const builder = new DatasetBuilder({ absent: 0, idsPerMap: 2 });
  for (const row of rows) builder.append(pieceOf([row], 0));
  const data = builder.finish();
  expect(data.queryIds).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect([...data.offsets]).toEqual([0, 2, 4, 5, 6, 7]);
});
