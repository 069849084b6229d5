import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { readScores } from '#listwise/data/readers/score-file.js';
import { StringTable } from '#listwise/data/string-table.js';
import { ListwiseError } from '#listwise/errors.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { Random } from '#listwise/numeric/random.js';
import { mutated } from './mutate.js';

/** Rows of the input are of queries a a b a; the data set keeps the rows of `a` together. */
const data = new Dataset({
  featureNames: [],
  blocks: [],
  offsets: Uint32Array.of(0, 3, 4),
  queryIds: ['a', 'b'],
  labels: new Map(),
  inputRows: Uint32Array.of(0, 1, 3, 2),
});
const queryOfInput = ['a', 'a', 'b', 'a'];

const read = (text: string | Buffer, chunk?: number) =>
  readScores(memoryInput('memory', Buffer.from(text), chunk), data);

async function failure(text: string): Promise<ListwiseError> {
  const error = await read(text).then(
    () => undefined,
    caught => caught,
  );
  expect(error).toBeInstanceOf(ListwiseError);
  return error as ListwiseError;
}

describe('score files', () => {
  it('maps plain scores from input order to the rows of the data', async () => {
    expect([...(await read('1\n2\r\n\n3\n4'))]).toEqual([1, 2, 4, 3]);
  });

  it('maps RankLib scores by query and index, whatever the order within a list', async () => {
    expect([...(await read('a\t1\t2\na\t0\t1\nb\t0\t3\na\t0\t4\n'))]).toEqual([1, 2, 4, 3]);
  });

  it('reads lines that name the document, in input order', async () => {
    expect([...(await read('a\t1\t5\na\t2\t6\nb\t3\t7\na\t4\t8\n'))]).toEqual([5, 6, 8, 7]);
    const named = data.with({ documentIds: StringTable.from(['x', 'y', 'z', 'w']) }); // in the order of the data's rows
    const scores = await readScores(memoryInput('memory', Buffer.from('a x 5\na y 6\nb w 7\na z 8\n')), named);
    expect([...scores]).toEqual([5, 6, 8, 7]);
  });

  it.each([
    ['1\n2\n3\n', 'row-count', undefined, '3 scores for 4 documents'],
    ['1\n2\n3\n4\n5\n', 'row-count', undefined, '5 scores for 4 documents'],
    ['', 'row-count', undefined, '0 scores for 4 documents'],
    ['1\nx\n', 'score-invalid', '2:1', '"x"'],
    ['1 2\n', 'row-ragged', '1:4', '2 fields'],
    ['1\na 0 2\n', 'row-ragged', '2:3', '3 fields'],
    ['1\r2\n', 'line-end-invalid', '1:2', 'carriage return'],
    ['a 0 1\nb 0 1\n', 'query-mismatch', '2:1', 'row 2 of the data is of query "a"'],
    ['a 0 1\na 2 1\n', 'value-invalid', '2:3', 'from 0 to 1'],
    ['a 1 1\na 2 1\nb 1 1\n', 'value-invalid', '2:3', 'from 0 to 1'],
    ['a 0 1\na\t 0 1\n', 'document-duplicate', '2:4', 'index 0'],
  ])('refuses %j with %s', async (text, code, at, part) => {
    const error = await failure(text);
    expect(error.code).toBe(code);
    const { line, column } = error.place;
    expect(line === undefined ? undefined : `${line}:${column}`).toBe(at);
    expect(error.message).toContain(part);
  });
});

/** What the reader must find, or complain about: codes with their line (none for the count). */
function reference(bytes: Buffer) {
  const wrong: { code: string; line: number | undefined }[] = [];
  const rows: { line: number; parts: string[] }[] = [];
  for (const [i, raw] of bytes.toString('latin1').split('\n').entries()) {
    const own = Buffer.from(raw, 'latin1');
    const text = own.toString('utf8').replace(/\r$/, '');
    if (raw.includes('\0') || !Buffer.from(own.toString('utf8')).equals(own))
      wrong.push({ code: 'data-binary', line: i + 1 });
    if (text.includes('\r')) wrong.push({ code: 'line-end-invalid', line: i + 1 });
    const parts = text.split(/[ \t]+/).filter(part => part !== '');
    if (parts.length > 0) rows.push({ line: i + 1, parts });
  }
  const width = rows[0]?.parts.length ?? 1;
  const scores = new Array<number>(data.rows);
  const ids = width === 3 && rows.slice(0, data.rows).every(({ parts }, i) => parts[1] === String(i + 1));
  for (const [i, { line, parts }] of rows.entries()) {
    if (parts.length !== width || (width !== 1 && width !== 3)) {
      wrong.push({ code: 'row-ragged', line });
      continue;
    }
    const field = parts[width - 1]!;
    const score = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(field) ? Number(field) : Number.NaN;
    if (!Number.isFinite(score)) wrong.push({ code: 'score-invalid', line });
    if (i >= data.rows) continue;
    let target = i;
    if (width === 3) {
      // Lists of adjacent rows: 0 and 1, 2, 3.
      const start = i < 2 ? 0 : i;
      const size = i < 2 ? 2 : 1;
      if (parts[0] !== queryOfInput[i]) wrong.push({ code: 'query-mismatch', line });
      if (ids) {
        scores[i] = score;
        continue;
      }
      if (!/^\d+$/.test(parts[1]!) || Number(parts[1]) >= size) wrong.push({ code: 'value-invalid', line });
      target = start + Number(parts[1]);
      if (scores[target] !== undefined) wrong.push({ code: 'document-duplicate', line });
    }
    scores[target] = score;
  }
  if (rows.length !== data.rows) wrong.push({ code: 'row-count', line: undefined });
  return { scores, wrong };
}

describe.each([
  ['plain', ['0.5', '-1', '2e3', '7']],
  ['named', ['a\t1\t0.5', 'a\t2\t-1', 'b\t3\t2e3', 'a\t4\t7']],
  ['RankLib', ['a\t0\t0.5', 'a\t1\t-1', 'b\t0\t2e3', 'a\t0\t7']],
])('10,000 damaged %s score files', (kind, lines) => {
  it('read as the obvious parser reads them, or fail with code and line', async () => {
    const random = new Random(11, kind);
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 10_000; round++) {
      const bytes = mutated(random, lines);
      const { scores, wrong } = reference(bytes);
      let outcome = 'read';
      try {
        const found = await read(bytes, 1 + random.below(bytes.length + 1));
        expect(wrong).toEqual([]);
        expect([...found]).toEqual([0, 1, 3, 2].map(row => scores[row]));
      } catch (error) {
        if (!(error instanceof ListwiseError)) throw error;
        outcome = error.code;
        expect(wrong).toContainEqual({ code: error.code, line: error.place.line });
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const ours = kind === 'plain' ? [] : ['query-mismatch', 'value-invalid'];
    for (const outcome of ['read', 'row-count', 'row-ragged', 'score-invalid', 'data-binary', ...ours]) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(20);
    }
  });
});
