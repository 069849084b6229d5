import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { joinRun } from '#listwise/data/readers/trec/join.js';
import { readQrels } from '#listwise/data/readers/trec/qrels.js';
import { readRun } from '#listwise/data/readers/trec/run.js';
import { ListwiseError } from '#listwise/errors.js';
import { fileInput, memoryInput } from '#listwise/io/inputs.js';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../../../temporary.js';
import { mutated } from '../mutate.js';

const memory = (text: string | Buffer, chunk?: number) => memoryInput('memory', Buffer.from(text), chunk);
const qrels = (text: string) => readQrels(memory(text));
const run = (text: string) => readRun(memory(text));

async function failure(promise: Promise<unknown>): Promise<ListwiseError> {
  const error = await promise.then(
    () => undefined,
    caught => caught,
  );
  expect(error).toBeInstanceOf(ListwiseError);
  return error as ListwiseError;
}

describe('qrels', () => {
  it('reads labels, real ones too, and takes negative ones as unjudged', async () => {
    const data = await qrels('q1 0 a 1\nq1 0 b 0\nq1 0 c -1\nq1\t0\td  2.5\n');
    expect(data.queryIds).toEqual(['q1']);
    expect([...data.label()]).toEqual([1, 0, Number.NaN, 2.5]);
    expect([0, 1, 2, 3].map(row => data.documentId(row))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('reads CRLF, blank lines, comments, a byte order mark and a last line without its end', async () => {
    const data = await qrels('\ufeffq1 0 a 1\r\n\r\n# note\r\n  \t\r\nq2 0 é 0');
    expect(data.queryIds).toEqual(['q1', 'q2']);
    expect(data.documentId(1)).toBe('é');
  });

  it('groups rows of a query that are not adjacent and remembers their input rows', async () => {
    const data = await qrels('q1 0 a 1\nq2 0 a 2\nq1 0 b 3\n');
    expect([...data.offsets]).toEqual([0, 2, 3]);
    expect([...data.label()]).toEqual([1, 3, 2]);
    expect([...data.inputRows!]).toEqual([0, 2, 1]);
  });

  it.each([
    ['q1 0 a 1\nq1 0 b\n', 'row-ragged', 2],
    ['q1 0 a 1 5\n', 'row-ragged', 1],
    ['q1 0 a 1\rq1 0 b 1\n', 'line-end-invalid', 1],
    ['q1 0 a one\n', 'label-invalid', 1],
    ['q1 0 a nan\n', 'label-invalid', 1],
    ['q1 0 a 1\n\nq2 0 a 0\nq1 0 a 0\n', 'document-duplicate', 4],
    ['', 'data-empty', undefined],
    ['\n#\n', 'data-empty', undefined],
    ['q1 0 a 1\nq1 0 \0 1\n', 'data-binary', 2],
  ])('refuses %j with %s', async (text, code, line) => {
    const error = await failure(qrels(text));
    expect(error.code).toBe(code);
    expect(error.place.line).toBe(line);
  });

  it.each([
    ['q1 0 é 1\nq1 0 b \n', 2, 7],
    ['q1 0 é 1 5\n', 1, 11],
    ['q1 0 a 1\né 0 a 1\n é 0 a 1\n', 3, 7],
  ])('names the column where %j is ragged or lists a document again', async (text, line, column) => {
    expect((await failure(qrels(text))).place).toEqual({ file: 'memory', line, column });
  });

  it('names the column of a bad label in bytes', async () => {
    const error = await failure(qrels('q1 0 é x\n'));
    expect(error.place).toEqual({ file: 'memory', line: 1, column: 9 });
  });

  it('refuses bytes that are not UTF-8, with line and column', async () => {
    const error = await failure(readQrels(memory(Buffer.from('q1 0 a 1\nq1 0 \xe9 1\n', 'latin1'))));
    expect(error.code).toBe('data-binary');
    expect(error.place).toEqual({ file: 'memory', line: 2, column: 6 });
  });
});

describe('run files', () => {
  it('reads documents and scores in input order and ignores rank and what follows the tag', async () => {
    const found = await run('q1 Q0 a 9 0.5 tag more words\nq1 Q0 b 1 1e-3 tag\n');
    expect(found.queryIds).toEqual(['q1']);
    expect([...found.scores]).toEqual([0.5, 0.001]);
    expect([found.documentIds.get(0), found.documentIds.get(1)]).toEqual(['a', 'b']);
  });

  it.each([
    ['q1 Q0 a 1 0.5\n', 'row-ragged', 1],
    ['q1 Q0 a 1 0.5 t\nq1 Q0 b 1 high t\n', 'score-invalid', 2],
    ['q1 Q0 a 1 nan t\n', 'score-invalid', 1],
    ['q1 Q0 a 1 1e999 t\n', 'score-invalid', 1],
    ['q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 2 1 t\n', 'document-duplicate', 3],
    ['\n', 'data-empty', undefined],
  ])('refuses %j with %s', async (text, code, line) => {
    const error = await failure(run(text));
    expect(error.code).toBe(code);
    expect(error.place.line).toBe(line);
  });
});

describe('files on disk', () => {
  const folder = temporaryDirectory();

  it('reads .gz, and names a truncated one', async () => {
    const whole = gzipSync('q1 0 a 1\n'.repeat(1).concat(...Array.from({ length: 999 }, (_, i) => `q1 0 d${i} 0\n`)));
    writeFileSync(join(folder, 'whole.gz'), whole);
    writeFileSync(join(folder, 'half.gz'), whole.subarray(0, whole.length / 2));
    expect((await readQrels(await fileInput(join(folder, 'whole.gz')))).rows).toBe(1000);
    expect((await failure(readQrels(await fileInput(join(folder, 'half.gz'))))).code).toBe('gzip-broken');
  });
});

describe('joinRun', () => {
  const judged = 'q1 0 a 2\nq1 0 b 0\nq1 0 c -1\nq1 0 d 1\nq2 0 a 1\n';

  it('labels retrieved documents and keeps judged ones that were not retrieved', async () => {
    const { data, scores, withoutJudgments, withoutDocuments } = joinRun(
      await run('q3 Q0 a 1 1 t\nq1 Q0 c 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 a 3 7 t\n'),
      await qrels(judged),
    );
    expect(data.queryIds).toEqual(['q1']);
    expect([...data.label()]).toEqual([Number.NaN, Number.NaN, 2]);
    expect([...scores]).toEqual([9, 8, 7]);
    expect(data.documentId(1)).toBe('x');
    expect([...data.unranked!.get('label')!.values]).toEqual([0, 1]);
    expect(withoutJudgments).toEqual(['q3']);
    expect(withoutDocuments).toEqual(['q2']);
  });

  it('with complete takes every query of the judgments, without documents where the run has none', async () => {
    const { data } = joinRun(await run('q2 Q0 a 1 1 t\n'), await qrels(judged), { complete: true });
    expect(data.queryIds).toEqual(['q1', 'q2']);
    expect([...data.offsets]).toEqual([0, 0, 1]);
    expect([...data.unranked!.get('label')!.offsets]).toEqual([0, 3, 3]);
  });

  it('refuses a run that shares no query with the judgments, naming some of each', async () => {
    const found = await run('x Q0 a 1 1 t\n');
    const data = await qrels(judged);
    expect(() => joinRun(found, data)).toThrow('the run has x, the judgments q1, q2');
  });

  it('joins any data with document ids and every label source, and refuses data without ids', async () => {
    const data = await qrels(judged);
    const two = data.with({ labels: new Map([...data.labels, ['clicks', Float64Array.of(1, 2, 3, 4, 5)]]) });
    const found = await run('q1 Q0 c 1 1 t\n');
    const joined = joinRun(found, two);
    expect([...joined.data.label('clicks')]).toEqual([3]);
    expect([...joined.data.unranked!.get('clicks')!.values]).toEqual([1, 2, 4]);
    expect(() => joinRun(found, data.with({ documentIds: undefined }))).toThrow('no document ids');
  });
});

/** The obvious parser: what the reader must find, or the codes and lines that it may complain about. */
function reference(bytes: Buffer, kind: 'qrels' | 'run') {
  const valueAt = kind === 'qrels' ? 3 : 4;
  const rows: { line: number; query: string; document: string; value: number }[] = [];
  const wrong: { code: string; line: number }[] = [];
  const lines = bytes.toString('latin1').split('\n');
  for (const [i, raw] of lines.entries()) {
    const line = i + 1;
    const own = Buffer.from(raw, 'latin1');
    const text = own.toString('utf8').replace(/\r$/, '');
    if (raw.includes('\0') || !Buffer.from(own.toString('utf8')).equals(own)) wrong.push({ code: 'data-binary', line });
    if (text.includes('\r')) wrong.push({ code: 'line-end-invalid', line });
    const parts = text.split(/[ \t]+/).filter(part => part !== '');
    if (parts.length === 0 || text.startsWith('#')) continue;
    const enough = kind === 'qrels' ? parts.length === 4 : parts.length >= 6;
    if (!enough) {
      wrong.push({ code: 'row-ragged', line });
      continue;
    }
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(parts[valueAt]!) ? Number(parts[valueAt]) : Number.NaN;
    if (!Number.isFinite(value)) wrong.push({ code: kind === 'qrels' ? 'label-invalid' : 'score-invalid', line });
    const unjudged = kind === 'qrels' && value < 0;
    rows.push({ line, query: parts[0]!, document: parts[2]!, value: unjudged ? Number.NaN : value });
  }
  const repeated = rows.find((row, i) =>
    rows.slice(0, i).some(other => other.query === row.query && other.document === row.document),
  );
  if (wrong.length === 0 && repeated !== undefined) wrong.push({ code: 'document-duplicate', line: repeated.line });
  return { rows, wrong };
}

describe.each(['qrels', 'run'] as const)('10,000 damaged %s files', kind => {
  const lines = Array.from({ length: 8 }, (_, i) =>
    kind === 'qrels' ? `q${i % 3} 0 doc${i} ${i % 4}` : `q${i % 3} Q0 doc${i} ${i + 1} ${10 - i}.5 tag`,
  );

  it('read as the obvious parser reads them, or fail with code and line', async () => {
    const random = new Random(7, kind);
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 10_000; round++) {
      const bytes = mutated(random, lines);
      const { rows, wrong } = reference(bytes, kind);
      const input = memory(bytes, 1 + random.below(bytes.length + 1));
      let outcome = 'read';
      try {
        const found = kind === 'qrels' ? await readQrels(input) : await readRun(input);
        const values = 'scores' in found ? found.scores : found.label();
        const got: unknown[] = [];
        for (const [q, query] of found.queryIds.entries()) {
          for (let row = found.offsets[q]!; row < found.offsets[q + 1]!; row++) {
            got.push([query, found.documentIds!.get(row), values[row]]);
          }
        }
        const order = [...new Set(rows.map(row => row.query))];
        const expected = order.flatMap(query => rows.filter(row => row.query === query));
        expect(wrong).toEqual([]);
        expect(got).toEqual(expected.map(row => [row.query, row.document, row.value]));
      } catch (error) {
        if (!(error instanceof ListwiseError)) throw error;
        outcome = error.code;
        if (error.code === 'data-empty') expect([rows, wrong]).toEqual([[], []]);
        else expect(wrong).toContainEqual({ code: error.code, line: error.place.line });
        expect(error.place.file).toBe('memory');
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // The damage must reach every branch, or the test shows nothing.
    const invalid = kind === 'qrels' ? 'label-invalid' : 'score-invalid';
    for (const outcome of [
      'read',
      'row-ragged',
      'document-duplicate',
      'data-binary',
      'data-empty',
      'line-end-invalid',
      invalid,
    ]) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(5);
    }
  });
});
