/** Batches put together are the data read whole, with everything that options and files beside it add. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { normalisations } from '#listwise/data/normalise.js';
import type { Batch } from '#listwise/data/read/batches.js';
import { readBatches } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import type { ReadOptions } from '#listwise/data/readers/reader.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);
const write = (name: string, lines: readonly (string | number)[]) => {
  writeFileSync(at(name), `${lines.join('\n')}\n`);
  return at(name);
};

/** Fills the megabyte that SVMlight is read at a time, and the window of tables. */
const LONG = 'x'.repeat(1000);

/** One line a row, in input order: all that is known of it. */
function rowsOf(data: Dataset, featureNames: readonly string[]): string[] {
  const lines: string[] = [];
  const columns = featureNames.map(name => {
    const f = data.featureNames.indexOf(name);
    return f < 0 ? undefined : data.column(f);
  });
  for (let q = 0; q < data.queries; q++) {
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
      const features = columns.map(column => column?.[row] ?? 0);
      const labels = [...data.labels].map(([name, values]) => `${name}=${values[row]}`);
      const id = data.documentIds?.get(row);
      lines.push(`${data.inputRows?.[row] ?? row} ${data.queryIds[q]} ${id} ${labels} ${features}`);
    }
  }
  return lines.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

async function batchesOf(file: string, options: ReadOptions, rows = 1): Promise<{ batches: number; lines: string[] }> {
  const lines: string[] = [];
  let batches = 0;
  let known: readonly string[] = [];
  const whole = await readDataset(file, options);
  const take = async ({ data, first, last, featureNames }: Batch) => {
    expect(first).toBe(batches === 0);
    expect(lines.length + data.rows === whole.rows).toBe(last);
    lines.push(...rowsOf(data, whole.featureNames));
    known = featureNames;
    batches++;
  };
  await readBatches(file, options, take, { rows, values: 1 << 20 });
  expect(known).toEqual(whole.featureNames);
  expect(lines).toEqual(rowsOf(whole, whole.featureNames));
  return { batches, lines };
}

describe('batches', async () => {
  // More than one piece of the reader of SVMlight, and of tables.
  const data = generateDataset('cubic', { queries: 24, documents: 100, features: 14, seed: 3 });
  await writeDataset(data, at('data.txt'), { sparse: true });
  write(
    'data.txt',
    readLines('data.txt').map((line, row) => `${line} # docid=d${row} ${LONG}`),
  );
  await writeDataset(data, at('data.csv'));
  write(
    'data.csv',
    readLines('data.csv').map((line, row) => `${line},${row === 0 ? 'docid' : `d${row} ${LONG}`}`),
  );
  const sizes = Array.from({ length: data.queries }, (_, q) => data.offsets[q + 1]! - data.offsets[q]!);
  const ids = sizes.flatMap((size, q) => Array<string>(size).fill(data.queryIds[q]!));
  const clicks = write(
    'clicks.txt',
    Array.from({ length: data.rows }, (_, row) => (row * 7) % 5),
  );
  const list = write('list.txt', ['12', '3 # a comment', '14']);
  const json = write('set.json', ['["14", "3", "12"]']);

  const options: Record<string, ReadOptions> = {
    'a label file': { labelFiles: [{ name: 'clicks', file: clicks }] },
    'a list of features': { featureSubset: list },
    'a feature set': { featureSubset: json },
    'sizes that agree with the queries': { group: write('sizes', sizes) },
    'ids that agree with the queries': { group: write('ids', ids) },
    ...Object.fromEntries(Object.keys(normalisations).map(how => [`normalise ${how}`, { normalise: how }])),
    'all of it': {
      labelFiles: [{ name: 'clicks', file: clicks }],
      featureSubset: json,
      group: at('sizes'),
      normalise: 'zscore',
    },
  };
  it.each(Object.entries(options))('with %s', async (_, read) => {
    const { batches } = await batchesOf(at('data.txt'), read);
    expect(batches).toBeGreaterThan(1);
  });

  it('of a table with all of it', async () => {
    const { batches } = await batchesOf(at('data.csv'), options['all of it']!);
    expect(batches).toBeGreaterThan(1);
  });

  it('with a group file where rows name no query, which tells sizes from ids', async () => {
    const bare = readFileSync(at('data.txt'), 'utf8').replace(/ qid:\S+/g, '');
    writeFileSync(at('bare.txt.gz'), gzipSync(bare));
    writeFileSync(at('bare.txt.query'), readFileSync(at('sizes')));
    for (const group of [
      undefined,
      at('ids'),
      write(
        'numbers',
        ids.map((_, row) => 1 + Math.floor(row / 60)),
      ),
    ]) {
      const { batches } = await batchesOf(at('bare.txt.gz'), { group, normalise: 'linear' });
      expect(batches).toBeGreaterThan(1);
    }
  });

  it('of whole queries for normalisation, whatever the size of a batch', async () => {
    const query = fc.record({ rows: fc.integer({ min: 1, max: 2000 }), features: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(query, { minLength: 1, maxLength: 6 }), async queries => {
        let n = 0;
        const text = queries.flatMap(({ rows, features }, q) =>
          Array.from({ length: rows }, () => {
            const row = n++;
            const pairs = Array.from({ length: features }, (_, f) => `${f + 1}:${(row * 13 + f) % 29}`);
            return `0 qid:q${q} ${pairs.join(' ')} # docid=d${row} ${LONG}`;
          }),
        );
        const { lines } = await batchesOf(write('property.txt', text), { normalise: 'zscore' });
        expect(lines.length).toBe(n);
      }),
      { numRuns: 6 },
    );
  });

  it('refuse what does not fit', async () => {
    const fails = (file: string, read: ReadOptions) =>
      readBatches(at(file), read, async () => {}, { rows: 1, values: 1 << 20 });
    await expect(fails('data.txt', { featureSubset: write('wrong', ['3', '15']) })).rejects.toThrow(
      'wrong:2: the data has no feature "15"',
    );
    // @ts-expect-error a misspelt normalisation
    await expect(fails('data.txt', { normalise: 'zscores' })).rejects.toThrow('did you mean "zscore"');
    const labels = (count: number) => ({
      labelFiles: [{ name: 'x', file: write('labels', Array<number>(count).fill(1)) }],
    });
    await expect(fails('data.txt', labels(data.rows + 2))).rejects.toThrow(
      `${data.rows + 2} labels "x" for ${data.rows} documents; there must be one a document`,
    );
    await expect(fails('data.txt', labels(data.rows - 2))).rejects.toThrow(
      `${data.rows - 2} labels "x" for ${data.rows} documents; there must be one a document`,
    );
    await expect(fails('data.txt', labels(3))).rejects.toThrow('3 labels "x" for more than 3 documents');
    const again = readLines('data.txt');
    write('again.txt', [...again, again[0]!]);
    await expect(fails('again.txt', { normalise: 'sum' })).rejects.toMatchObject({
      code: 'query-scattered',
      message: expect.stringContaining(`row ${data.rows + 1} is of query "1", which had ended before`),
    });
    await expect(fails('data.txt', { group: write('short', sizes.slice(1)) })).rejects.toMatchObject({
      code: 'row-count',
    });
    await expect(
      fails('data.txt', { group: write('moved', [sizes[0]! - 1, sizes[1]! + 1, ...sizes.slice(2)]) }),
    ).rejects.toThrow('moved:2: group 2 starts within query');
  });
});

function readLines(name: string): string[] {
  return readFileSync(at(name), 'utf8').trimEnd().split('\n');
}
