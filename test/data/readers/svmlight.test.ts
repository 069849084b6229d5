import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Input, memoryInput, readDataset } from '#listwise/data/index.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { readSvmlight } from '#listwise/data/readers/svmlight/svmlight.js';
import { ListwiseError } from '#listwise/errors.js';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../../temporary.js';
import { numberText } from './number-texts.js';
import { datasetText, expectedOutcome } from './svmlight-model.js';

let folder: string;
beforeAll(() => {
  folder = temporaryDirectory();
});

function read(text: string | Uint8Array, options: ReadOptions = {}) {
  return readSvmlight([memoryInput('data.txt', Buffer.from(text))], { threads: 1, ...options });
}

async function failure(reading: Promise<unknown>): Promise<ListwiseError> {
  const error = await reading.then(
    () => new Error('no error'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ListwiseError) return error;
  throw error;
}

/** Several hundred rows with everything the format has. */
function longText(seed: number, rows: number): string {
  const random = new Random(seed, 'long text');
  let text = '\ufeff# a comment\n\n';
  for (let i = 0; i < rows; i++) {
    text += `${random.below(5)} qid:${Math.floor(i / 40)}`;
    for (let f = 1; f <= 60; f++) if (random.below(3) > 0) text += ` ${f}:${random.gaussian()}`;
    text += random.below(2) === 0 ? ` # docid = D${i}\r\n` : '\n';
  }
  return text;
}

describe('what a line means', () => {
  it.each([
    ['a row', '2 qid:1 1:3 2:0.5', ['features 2', 'query 1', '1: 2 0=3 1=0.5 #1']],
    ['the label as float64', '0.1 qid:1 1:1', ['features 1', 'query 1', '1: 0.1 0=1 #1']],
    ['a label of 20 digits', '12345678901234567890 qid:1', ['features 0', 'query 1', '1: 12345678901234567000  #1']],
    ['a negative label', '-1e-3 qid:1', ['features 0', 'query 1', '1: -0.001  #1']],
    ['values as float32', '0 qid:1 1:0.1', ['features 1', 'query 1', `1: 0 0=${Math.fround(0.1)} #1`]],
    ['minus nought', '0 qid:1 1:-0', ['features 1', 'query 1', '1: 0 0=-0 #1']],
    [
      'all decimal forms',
      '0 qid:1 1:+1 2:.5 3:5. 4:1e2 5:1E-2',
      ['features 5', 'query 1', `1: 0 0=1 1=0.5 2=5 3=100 4=${Math.fround(0.01)} #1`],
    ],
    ['values below float32', '0 qid:1 1:1e-50 2:7', ['features 2', 'query 1', '1: 0 1=7 #1']],
    [
      'missing values',
      '0 qid:1 1:NULL 2:nan 3:NaN 4: 5:null',
      ['features 5', 'query 1', '1: 0 0=NaN 1=NaN 2=NaN 3=NaN 4=NaN #1'],
    ],
    ['features in any order', '0 qid:1 3:3 1:1 2:2', ['features 3', 'query 1', '1: 0 0=1 1=2 2=3 #1']],
    ['ids with leading zeros', '0 qid:1 001:1', ['features 1', 'query 1', '1: 0 0=1 #1']],
    ['query ids of any text', '0 qid:häuser-7:x 1:1', ['features 1', 'query häuser-7:x', '1: 0 0=1 #1']],
    [
      'query ids that are not UTF-8',
      Buffer.from('0 qid:\xe9 1:1\n0 qid:\xe8 1:2', 'latin1'),
      ['features 1', 'query é', '1: 0 0=1 #1', 'query è', '2: 0 0=2 #2'],
    ],
    [
      'CRLF, tabs, blanks',
      '  0\tqid:1 \t 1:1  \r\n\r\n \t\r\n1 qid:1 1:2\r',
      ['features 1', 'query 1', '1: 0 0=1 #1', '2: 1 0=2 #2'],
    ],
    ['comment lines', '# head\n0 qid:1 1:1\n  # x', ['features 1', 'query 1', '1: 0 0=1 #1']],
    ['docid', '0 qid:1 1:1 #docid = A-1 inc = 1', ['features 1', 'query 1', '1: 0 0=1 #A-1']],
    ['docid without blanks', '0 qid:1 1:1 # x docid=A', ['features 1', 'query 1', '1: 0 0=1 #A']],
    ['a comment of one word', '0 qid:1 1:1# A ', ['features 1', 'query 1', '1: 0 0=1 #A']],
    ['a comment of two words', '0 qid:1 1:1 # A B', ['features 1', 'query 1', '1: 0 0=1 #1']],
    ['a byte order mark', '\ufeff0 qid:1 1:1', ['features 1', 'query 1', '1: 0 0=1 #1']],
    ['a row without features', '3 qid:1', ['features 0', 'query 1', '1: 3  #1']],
  ])('%s', async (_, text, expected) => {
    expect(datasetText(await read(text), 0)).toEqual(expected);
    // The reference says so too.
    expect(expectedOutcome(Buffer.from(text), { featureBase: 1, needQuery: true }, 0)).toEqual(expected);
  });

  it('takes absent features as zero, or as missing where asked', async () => {
    const text = '0 qid:1 1:1 3:0\n0 qid:1 2:2';
    expect([...(await read(text)).column(1)]).toEqual([0, 2]);
    const data = await read(text, { absent: 'missing' });
    expect([0, 1, 2].map(f => [...data.column(f)])).toEqual([
      [1, Number.NaN],
      [Number.NaN, 2],
      [0, Number.NaN],
    ]);
  });

  it('reads 100,000 numbers of all shapes to the bit', async () => {
    const random = new Random(1, 'exact numbers');
    const texts = Array.from({ length: 2000 }, () => Array.from({ length: 50 }, () => numberText(random, false)));
    const data = await read(
      texts.map(row => `${row[0]} qid:1 ${row.map((x, f) => `${f + 1}:${x}`).join(' ')}\n`).join(''),
    );
    const different = (a: ArrayLike<number>, b: readonly number[]) => b.filter((value, i) => !Object.is(value, a[i]));
    for (let f = 0; f < 50; f++) {
      expect(
        different(
          data.column(f),
          texts.map(row => Math.fround(Number(row[f]))),
        ),
      ).toEqual([]);
    }
    expect(
      different(
        data.label(),
        texts.map(row => Number(row[0])),
      ),
    ).toEqual([]);
  });

  it('counts features from 0 where asked', async () => {
    const data = await read('0 qid:1 0:5 2:7', { featureBase: 0 });
    expect(data.featureNames).toEqual(['0', '1', '2']);
    expect(data.feature(0, 0)).toBe(5);
  });

  it('groups rows of a query that are not adjacent, and says so', async () => {
    const notes: string[] = [];
    const text = '0 qid:a 1:1\n1 qid:b 1:2\n2 qid:a 1:3\n3 qid:c 1:4\n';
    const data = await read(text, { note: note => notes.push(note) });
    expect([...data.column(0)]).toEqual([1, 3, 2, 4]);
    expect([...data.inputRows!]).toEqual([0, 2, 1, 3]);
    expect(notes).toEqual(['rows of 1 query were not adjacent and were grouped']);
  });
});

describe('what is wrong, and where', () => {
  it.each([
    ['label-invalid', 1, 1, 'x qid:1 1:1'],
    ['label-invalid', 2, 3, '0 qid:1 1:1\n  nan qid:1 1:1'],
    ['label-invalid', 1, 1, 'inf qid:1 1:1'],
    ['label-invalid', 1, 1, '1e999 qid:1 1:1'],
    ['label-invalid', 1, 1, '0x10 qid:1 1:1'],
    ['label-invalid', 1, 1, 'qid:1 1:1'],
    ['query-missing', 1, 3, '0 1:1'],
    ['query-missing', 1, 2, '0'],
    ['query-missing', 1, 3, '0 qid: 1:1'],
    ['query-missing', 3, 3, '0 qid:1 1:1\n# x\n0 1:1\n0 qid:1 1:1'],
    ['feature-syntax', 1, 9, '0 qid:1 7'],
    ['feature-syntax', 1, 13, '0 qid:1 1:1 qid:2'],
    ['feature-syntax', 1, 12, '0 qid:1 1: 5'],
    ['feature-id-invalid', 1, 9, '0 qid:1 0:1'],
    ['feature-id-invalid', 1, 9, '0 qid:1 -1:1'],
    ['feature-id-invalid', 1, 9, '0 qid:1 1.5:1'],
    ['feature-id-invalid', 1, 9, '0 qid:1 :1'],
    ['feature-id-invalid', 1, 9, '0 qid:1 1048577:1'],
    ['feature-id-invalid', 1, 9, '0 qid:1 1099511627776:1'],
    ['feature-duplicate', 1, 17, '0 qid:1 1:1 2:2 1:3'],
    ['feature-duplicate', 1, 13, '0 qid:1 1:1 01:1'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:x'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:inf'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:-Infinity'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:1e39'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:0x1f'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:1_000'],
    ['feature-value-invalid', 1, 9, '0 qid:1 1:2:3'],
    ['feature-value-invalid', 1, 10, '0 qid:é 1:x'],
    ['data-binary', 2, 5, '0 qid:1\n0 qi\0d:1'],
    ['data-binary', 1, 12, '0 qid:1 # a\0'],
    ['line-end-invalid', 1, 8, '0 qid:1\r0 qid:1\r'],
    ['line-end-invalid', 1, 12, '0 qid:1 # x\r0 qid:1'],
  ])('%s at %s:%s', async (code, line, column, text) => {
    const error = await failure(read(text));
    expect(error).toMatchObject({ code, place: { file: 'data.txt', line, column } });
  });

  it.each(['', '\n# nothing\r\n \n'])('data-empty: %j', async text => {
    expect(await failure(read(text))).toMatchObject({ code: 'data-empty', place: { file: 'data.txt' } });
  });

  it('names the flag for files that count from 0', async () => {
    expect((await failure(read('0 qid:1 0:1'))).message).toContain('`featureBase: 0`');
  });

  it('names the file, of several', async () => {
    const inputs = [memoryInput('a', Buffer.from('0 qid:1 1:1\n')), memoryInput('b', Buffer.from('\n0 qid:1 1:x'))];
    const error = await failure(readSvmlight(inputs, {}));
    expect(error.message).toMatch(/^b:2:9: /);
  });

  it('reports the first error of a file, whatever the threads', async () => {
    const lines = longText(3, 400).split('\n');
    lines[90] = '0 qid:1 5:x';
    lines[91] = 'y';
    lines[380] = 'z';
    for (const threads of [1, 2, 3]) {
      const error = await failure(readSvmlight([memoryInput('m', Buffer.from(lines.join('\n')))], { threads }, 2000));
      expect(error).toMatchObject({ code: 'feature-value-invalid', place: { file: 'm', line: 91, column: 9 } });
    }
  });
});

describe('queries from outside', () => {
  const outsideQueries = (...sizes: number[]) => ({
    file: 'data.group',
    runs: sizes.map((rows, i) => ({ id: `g${i}`, rows })),
  });

  it('need no qid', async () => {
    const data = await read('0 1:1\n1 1:2\n2 1:3\n', { outsideQueries: outsideQueries(1, 0, 2) });
    expect(data.queryIds).toEqual(['g0', 'g2']);
    expect([...data.offsets]).toEqual([0, 1, 3]);
  });

  it('win over those of the rows, over several inputs', async () => {
    const input = (name: string): Input => memoryInput(name, Buffer.from('0 qid:7 1:1\n1 qid:8 1:2\n'));
    const data = await readSvmlight([input('a'), input('b')], { outsideQueries: outsideQueries(3, 1) });
    expect(data.queryIds).toEqual(['g0', 'g1']);
  });

  it.each([
    ['too few', [1], 'the groups cover 1 rows, but the data has more'],
    ['too many', [2, 5], 'the groups cover 7 rows, but the data has 2'],
  ])('%s are an error', async (_, sizes, detail) => {
    const error = await failure(read('0 1:1\n1 1:2\n', { outsideQueries: outsideQueries(...sizes) }));
    expect(error).toMatchObject({ code: 'row-count', detail, place: { file: 'data.group' } });
  });

  it.each([
    [2, '0 qid:1 1:1\n0 1:1\n0 1:1'],
    [1, '0 1:1\n0 1:1\n0 qid:1 1:1'],
  ])('a file with qid in some rows is an error at the first row without, line %d', async (line, text) => {
    for (const chunkBytes of [1, 1000]) {
      const input = memoryInput('data.txt', Buffer.from(text));
      const error = await failure(readSvmlight([input], { outsideQueries: outsideQueries(3) }, chunkBytes));
      expect(error).toMatchObject({ code: 'query-missing', place: { line, column: 3 } });
    }
  });
});

describe('however it is read', () => {
  const text = longText(1, 700);
  const expected = expectedOutcome(Buffer.from(text), { featureBase: 1, needQuery: true }, 0);

  it.each([1, 2, 3])('%d threads give the same data set', async threads => {
    for (const chunkBytes of [1, 777, 10_000, 1 << 20]) {
      const input = memoryInput('m', Buffer.from(text), 5000);
      expect(datasetText(await readSvmlight([input], { threads }, chunkBytes), 0)).toEqual(expected);
    }
  });

  it.each([1, 2, 3])('a file gives the same with %d threads', async threads => {
    const path = join(folder, 'long.txt');
    writeFileSync(path, text);
    const input: Input = { name: path, path, gzip: false, open: () => memoryInput('no', Buffer.of()).open() };
    for (const chunkBytes of [13, 777, 100_000, 1 << 20]) {
      expect(datasetText(await readSvmlight([input], { threads }, chunkBytes), 0)).toEqual(expected);
    }
  });

  it('gzip, by its name or not', async () => {
    for (const name of ['packed.txt.gz', 'packed.txt']) {
      const path = join(folder, name);
      writeFileSync(path, gzipSync(text));
      expect(datasetText(await readDataset(path), 0)).toEqual(expected);
    }
  });

  it('a damaged gzip is an error of its own', async () => {
    const path = join(folder, 'cut.txt.gz');
    writeFileSync(path, gzipSync(text).subarray(0, 5000));
    expect(await failure(readDataset(path))).toMatchObject({ code: 'gzip-broken', place: { file: path } });
  });

  it('names that say nothing are read as this format', async () => {
    const path = join(folder, 'S1');
    writeFileSync(path, text);
    expect((await readDataset(path)).rows).toBe(700);
  });

  it('tells how far it is', async () => {
    const path = join(folder, 'progress.txt');
    writeFileSync(path, text);
    const seen: [number, number | undefined][] = [];
    await readDataset(path, { progress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([Buffer.byteLength(text), Buffer.byteLength(text)]);
  });

  it('lines longer than a chunk, in every place', async () => {
    const wide = Array.from({ length: 5000 }, (_, f) => `${f + 1}:${f}`).join(' ');
    const lines = ['0 qid:1 1:1', `1 qid:1 ${wide}`, '2 qid:2 3:4', `3 qid:2 1:1 # ${'x'.repeat(30_000)}`, `# ${wide}`];
    const path = join(folder, 'wide.txt');
    for (const order of [lines, lines.toReversed()]) {
      writeFileSync(path, order.join('\n'));
      const wanted = expectedOutcome(Buffer.from(order.join('\n')), { featureBase: 1, needQuery: true }, 0);
      const input: Input = { name: path, path, gzip: false, open: () => memoryInput('no', Buffer.of()).open() };
      for (const threads of [1, 2]) {
        const data = await readSvmlight([input], { threads }, 4096);
        expect(datasetText(data, 0)).toEqual(wanted);
      }
    }
  });

  it('what is no text is refused without looking for the end of its line', async () => {
    const path = join(folder, 'binary.txt');
    writeFileSync(path, Buffer.concat([Buffer.from('0 qid:1'), Buffer.alloc(100_000)]));
    const file: Input = { name: path, path, gzip: false, open: () => memoryInput('no', Buffer.of()).open() };
    let taken = 0;
    const endless: Input = {
      name: 'endless',
      gzip: false,
      async *open() {
        for (; taken < 1000; taken++) yield Buffer.alloc(1000);
      },
    };
    expect(await failure(readSvmlight([file], {}, 1000))).toMatchObject({ code: 'data-binary', place: { column: 8 } });
    expect(await failure(readSvmlight([endless], {}, 2000))).toMatchObject({
      code: 'data-binary',
      place: { column: 1 },
    });
    expect(taken).toBeLessThan(10);
  });

  it('several readings at once do not disturb each other', async () => {
    const texts = [5, 6, 7, 8].map(seed => longText(seed, 30));
    const readings = texts.map(one => readSvmlight([memoryInput('m', Buffer.from(one), 100)], { threads: 1 }, 500));
    const all = await Promise.all(readings);
    for (const [i, data] of all.entries()) {
      expect(datasetText(data, 0)).toEqual(
        expectedOutcome(Buffer.from(texts[i]!), { featureBase: 1, needQuery: true }, 0),
      );
    }
  });

  it('a row of 100,000 features', async () => {
    const row = Array.from({ length: 100_000 }, (_, f) => `${f + 1}:${f % 1000}`).join(' ');
    const data = await read(`0 qid:1 1:1\n1 qid:1 ${row}\n2 qid:2 2:5\n`);
    expect(data.features).toBe(100_000);
    expect([data.feature(0, 99_999), data.feature(1, 99_999), data.feature(2, 1)]).toEqual([0, 999, 5]);
  });

  it('half a million tiny rows', async () => {
    const data = await read('1 qid:a\n'.repeat(500_000), { threads: 2 });
    expect(data.rows).toBe(500_000);
    expect(data.label().every(label => label === 1)).toBe(true);
  });
});

const LETOR = join(import.meta.dirname, '../../../../shared/data');
describe.skipIf(!existsSync(LETOR))('LETOR data (skipped where ../shared/data is absent)', () => {
  it.each([
    ['ohsumed', 106, 16_140, 25, '40626'],
    ['mq2008', 784, 15_211, 46, 'GX008-86-4444840'],
  ])('%s has its published size', async (name, queries, rows, features, document) => {
    const data = await readDataset(join(LETOR, name));
    expect([data.queries, data.rows, data.features]).toEqual([queries, rows, features]);
    expect(data.documentId(0)).toBe(document);
    expect(new Set(data.label())).toEqual(new Set([0, 1, 2]));
  });

  it('220 queries of mq2008 have no relevant document', async () => {
    const data = await readDataset(join(LETOR, 'mq2008'));
    const labels = data.label();
    const empty = data.queryIds.filter((_, q) =>
      labels.subarray(data.offsets[q], data.offsets[q + 1]).every(label => label === 0),
    );
    expect(empty).toHaveLength(220);
  });
});
