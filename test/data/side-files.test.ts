import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readGroups } from '#listwise/data/read/groups.js';
import { readInputs } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { labelProblem, positionProblem, weightProblem } from '#listwise/data/read/row-values.js';
import { readSideValues } from '#listwise/data/read/side-values.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { ListwiseError } from '#listwise/errors.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../temporary.js';
import { mutated } from './readers/mutate.js';

const directory = temporaryDirectory();
let homes = 0;

/** Files in a directory of their own; gives the path of one of them. */
function files(contents: Record<string, string | Uint8Array>): (name: string) => string {
  const home = join(directory, String(homes++));
  mkdirSync(home);
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(home, name), content);
  return name => join(home, name);
}

async function failure(data: string, options: ReadOptions = {}) {
  const error = await readDataset(data, options).then(
    () => undefined,
    (reason: ListwiseError) => reason,
  );
  if (error === undefined) throw new Error('read without an error');
  return { code: error.code, message: error.message, line: error.place.line };
}

const WITHOUT = '1 1:1\n0 1:2\n2 1:3\n'; // no queries
const WITH = '1 qid:a 1:1\n0 qid:b 1:2\n2 qid:b 1:3\n';

describe('group files', () => {
  it.each([
    ['sizes', '2\n1\n', ['1', '2'], [0, 2, 3]],
    ['one query id a row', 'x\nx\ny\n', ['x', 'y'], [0, 2, 3]],
    ['one numeric query id a row', '7\n7\n8\n', ['7', '8'], [0, 2, 3]],
    ['query ids from 0', '0\n1\n1\n', ['0', '1'], [0, 1, 3]],
    ['sizes and ids both possible: sizes', '1\n1\n1\n', ['1', '2', '3'], [0, 1, 2, 3]],
    ['CR LF and no line end', '2\r\n1', ['1', '2'], [0, 2, 3]],
  ])('%s', async (_, content, queries, offsets) => {
    for (const name of ['d.txt.query', 'd.txt.group']) {
      const data = await readDataset(files({ 'd.txt': WITHOUT, [name]: content })('d.txt'));
      expect([data.queryIds, [...data.offsets]]).toEqual([queries, offsets]);
    }
    const at = files({ 'd.txt': WITHOUT, g: content });
    const data = await readDataset(at('d.txt'), { group: at('g') });
    expect(data.queryIds).toEqual(queries);
  });

  it('are found beside compressed data and compressed themselves', async () => {
    for (const name of ['d.txt.gz.query', 'd.txt.query', 'd.txt.query.gz', 'd.txt.gz.query.gz']) {
      const content = name.endsWith('.query.gz') ? gzipSync('2\n1\n') : '2\n1\n';
      const at = files({ 'd.txt.gz': gzipSync(WITHOUT), [name]: content });
      expect((await readDataset(at('d.txt.gz'))).queries, name).toBe(2);
    }
  });

  it('bring rows of one query together', async () => {
    const data = await readDataset(
      files({ 'd.txt': WITHOUT, 'd.txt.query': 'x\ny\nx\n', 'd.txt.weight': '1\n2\n3\n' })('d.txt'),
    );
    expect([...data.inputRows!]).toEqual([0, 2, 1]);
    expect([...data.rowWeights!]).toEqual([1, 3, 2]);
  });

  it('serve tables without a query column, and data from a stream', async () => {
    const at = files({ 'd.csv': 'label,x\n1,2\n0,3\n', 'd.csv.group': '1\n1\n', g: '2\n1\n' });
    expect((await readDataset(at('d.csv'))).queryIds).toEqual(['1', '2']);
    const stream = memoryInput('stdin', Buffer.from(WITHOUT));
    let opened = 0;
    const once = { ...stream, open: () => (opened++ === 0 ? stream.open() : memoryInput('', Buffer.of()).open()) };
    expect((await readInputs([once], { group: at('g') })).queries).toBe(2);
  });

  it('agree with the queries that rows name, or are refused', async () => {
    const notes: string[] = [];
    const data = await readDataset(files({ 'd.txt': WITH, 'd.txt.query': '1\n2\n' })('d.txt'), {
      note: text => notes.push(text),
    });
    expect(data.queryIds).toEqual(['a', 'b']);
    expect(notes).toEqual([expect.stringMatching(/d\.txt\.query: its groups agree/)]);
    const read = (groups: string) => failure(files({ 'd.txt': WITH, 'd.txt.query': groups })('d.txt'));
    expect(await read('2\n1\n')).toMatchObject({ code: 'query-mismatch', line: 1 });
    expect(await read('1\n1\n1\n')).toMatchObject({ code: 'query-mismatch', line: 3 });
    expect(await read('a\na\nb\n')).toMatchObject({ code: 'query-mismatch', line: 2 });
    expect(await read('a\nb\nb\n').catch(error => String(error))).toMatch(/without an error/);
    expect(await read('4\n')).toMatchObject({
      code: 'row-count',
      message: expect.stringMatching(/1 lines that sum to 4.*3 rows/),
    });
  });

  it('must fit the rows', async () => {
    const read = (groups: string) => failure(files({ 'd.txt': WITHOUT, 'd.txt.query': groups })('d.txt'));
    expect(await read('2\n3\n')).toMatchObject({
      code: 'row-count',
      message: expect.stringMatching(/2 lines that sum to 5/),
    });
    expect(await read('2\n1x\n')).toMatchObject({
      code: 'value-invalid',
      line: 2,
      message: expect.stringMatching(/"1x"/),
    });
    expect(await read('2\n\n1\n')).toMatchObject({ code: 'value-invalid', line: 2 });
    expect(await read('')).toMatchObject({ code: 'data-empty' });
  });

  it('are named once', async () => {
    const at = files({ 'd.txt': WITHOUT, 'd.txt.query': '3\n', 'd.txt.group': '3\n' });
    expect(await failure(at('d.txt'))).toMatchObject({
      code: 'option-invalid',
      message: expect.stringMatching(/keep one/),
    });
    expect(await failure(at('d.txt'), { group: at('none') })).toMatchObject({ code: 'file-not-found' });
  });
});

describe('weights, initial scores, positions, labels', () => {
  it('are read beside the data, with a note', async () => {
    const notes: string[] = [];
    const at = files({
      'd.txt': WITH,
      'd.txt.weight': '0.5\n2\n',
      'd.txt.init': '1\n-2\n3.5\n',
      'd.txt.position': '1\n\n2\n',
      clicks: '3\nnan\n\n',
    });
    const data = await readDataset(at('d.txt'), {
      labelFiles: [{ name: 'clicks', file: at('clicks') }],
      note: text => notes.push(text),
    });
    expect(data.rowWeights).toBeUndefined();
    expect([...data.queryWeights!]).toEqual([0.5, 2]);
    expect([...data.initialScores!]).toEqual([1, -2, 3.5]);
    expect([...data.positions!]).toEqual([1, Number.NaN, 2]);
    expect([...data.label('clicks')]).toEqual([3, Number.NaN, Number.NaN]);
    expect(notes.map(note => note.replace(/.*d\.txt/, ''))).toEqual([
      '.weight: took one weight a query',
      '.init: took initial scores',
      '.position: took positions',
    ]);
  });

  it('positions that count from 0 are moved on by one', async () => {
    const data = await readDataset(files({ 'd.txt': WITH, 'd.txt.position': '0\n1\nnan\n' })('d.txt'));
    expect([...data.positions!]).toEqual([1, 2, Number.NaN]);
  });

  it('go on over several data files', async () => {
    const at = files({
      '1.txt': WITH,
      '2.txt': WITH.replaceAll('qid:', 'qid:x'),
      '1.txt.weight': '1\n2\n3\n',
      '2.txt.weight': '4\n5\n6\n',
    });
    expect([...(await readDataset(at(''))).rowWeights!]).toEqual([1, 2, 3, 4, 5, 6]);
    const only = files({ '1.txt': WITH, '2.txt': WITH, '1.txt.weight': '1\n2\n3\n' });
    expect(await failure(only(''))).toMatchObject({ code: 'row-count', message: expect.stringMatching(/only 1 of 2/) });
  });

  it.each<[string, Record<string, string>, string, number | undefined, RegExp]>([
    ['too few weights', { 'd.txt.weight': '1\n' }, 'row-count', undefined, /1 weights for 3 documents in 2 queries/],
    [
      'a weight that is no number',
      { 'd.txt.weight': '1\nheavy\n' },
      'value-invalid',
      2,
      /the weight is "heavy".*at least 0/,
    ],
    ['a negative weight', { 'd.txt.weight': '1\n-1\n1\n' }, 'value-invalid', 2, /"-1"/],
    ['a weight left out', { 'd.txt.weight': '1\n\n1\n' }, 'value-invalid', 2, /at least 0/],
    ['an infinite score', { 'd.txt.init': '1\ninf\n1\n' }, 'value-invalid', 2, /finite/],
    ['too many scores', { 'd.txt.init': '1\n1\n1\n1\n' }, 'row-count', undefined, /4 initial scores for 3 documents/],
    ['a position and a half', { 'd.txt.position': '1\n1.5\n1\n' }, 'value-invalid', 2, /whole number/],
    ['a NUL', { 'd.txt.weight': '1\n\0\n1\n' }, 'data-binary', 2, /NUL/],
  ])('refuses %s', async (_, side, code, line, words) => {
    const found = await failure(files({ 'd.txt': WITH, ...side })('d.txt'));
    expect(found).toEqual({ code, line, message: expect.stringMatching(words) });
  });

  it('refuses labels that do not fit or are there already', async () => {
    const at = files({
      'd.txt': WITH,
      few: '1\n',
      bad: '1\nx\n1\n',
      'd.csv': 'qid,label,initial_score\nq,1,2\n',
      'd.csv.init': '1\n',
    });
    const labels = (name: string, file: string) => failure(at('d.txt'), { labelFiles: [{ name, file: at(file) }] });
    expect(await labels('clicks', 'few')).toMatchObject({ code: 'row-count' });
    expect(await labels('clicks', 'bad')).toMatchObject({ code: 'value-invalid', line: 2 });
    expect(await labels('label', 'few')).toMatchObject({ code: 'option-invalid' });
    expect(await labels('clicks', 'none')).toMatchObject({ code: 'file-not-found' });
    expect(await failure(at('d.csv'))).toMatchObject({
      code: 'option-invalid',
      message: expect.stringMatching(/of its own/),
    });
  });
});

describe('12,000 damaged side files', () => {
  const kinds = {
    weight: { what: 'weight', problem: weightProblem },
    position: { what: 'position', problem: positionProblem },
    label: { what: 'label', problem: labelProblem(false) },
  };
  const lines = {
    weight: ['1', '0.5', '2e3', '0', '7'],
    position: ['1', '2', '', '4', '10'],
    label: ['3', 'nan', '', '-1.5', '0'],
  };
  /** Lines as an editor counts them: what stands behind the last line end counts if it is not empty. */
  const count = (bytes: Buffer) => {
    const parts = bytes.toString('utf8').split('\n');
    return parts.at(-1) === '' ? parts.length - 1 : parts.length;
  };

  it.each(['weight', 'position', 'label'] as const)('%s: as many values as lines, or a coded error', async kind => {
    const random = new Random(5, kind);
    let read = 0;
    for (let i = 0; i < 3000; i++) {
      const bytes = mutated(random, lines[kind]);
      const input = memoryInput('side', bytes, 1 + random.below(9));
      try {
        const values = await readSideValues([input], kinds[kind]);
        expect(values.length).toBe(count(bytes));
        expect(values.every(value => kinds[kind].problem(value) === undefined)).toBe(true);
        read++;
      } catch (error) {
        if (!(error instanceof ListwiseError)) throw error;
        expect(['value-invalid', 'data-binary', 'line-end-invalid']).toContain(error.code);
        expect(error.place.line).toBeGreaterThan(0);
      }
    }
    expect(read).toBeGreaterThan(300);
    expect(read).toBeLessThan(2900);
  });

  it('groups: the lines as they are, their sum where all are sizes, or a coded error', async () => {
    const random = new Random(6, 'groups');
    let read = 0;
    for (let i = 0; i < 3000; i++) {
      const bytes = mutated(random, ['3', '12', '1', '40', '5']);
      try {
        const groups = await readGroups([memoryInput('side', bytes, 1 + random.below(9))]);
        const lines = groups.same.flatMap(({ text, lines }) => Array<string>(lines).fill(text));
        expect([groups.lines, lines.length]).toEqual([count(bytes), count(bytes)]);
        const numbers = lines.map(Number);
        const sizes = lines.every((line, k) => /^\d+$/.test(line) && numbers[k]! >= 1);
        if (groups.sum !== undefined) expect(groups.sum).toBe(numbers.reduce((a, b) => a + b, 0));
        else expect(sizes && numbers.every(Number.isSafeInteger)).toBe(false);
        read++;
      } catch (error) {
        if (!(error instanceof ListwiseError)) throw error;
        expect(['value-invalid', 'data-binary', 'data-empty', 'line-end-invalid']).toContain(error.code);
      }
    }
    expect(read).toBeGreaterThan(300);
    expect(read).toBeLessThan(2900);
  });
});
