/** A file that changes while it is read is an error, whatever its format. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { fileInput } from '#listwise/io/inputs.js';
import { temporaryDirectory } from '../temporary.js';

/** Large enough to be read in several pieces. */
const lines = (line: (row: number) => string) => Array.from({ length: 200_000 }, (_, row) => line(row)).join('');
const svmlight = lines(row => `${row % 3} qid:${Math.floor(row / 100)} 1:${row / 7} 2:0.5\n`);
const csv = `qid,label,x\n${lines(row => `${Math.floor(row / 100)},${row % 3},${row / 7}\n`)}`;

const folder = temporaryDirectory();
writeFileSync(join(folder, 'rows.csv'), csv);
await writeDataset(await readDataset(join(folder, 'rows.csv')), join(folder, 'rows.parquet'));

const formats: [string, string | Buffer][] = [
  ['data.txt', svmlight],
  ['data.txt.gz', gzipSync(svmlight, { level: 0 })],
  ['data.csv', csv],
  ['data.parquet', readFileSync(join(folder, 'rows.parquet'))],
];
const changes: [string, (file: string) => void][] = [
  ['is cut off', file => truncateSync(file, 1_500_000)],
  ['is emptied', file => truncateSync(file, 0)],
  ['grows', file => appendFileSync(file, '0 qid:x 1:1\n')],
  ['is replaced', file => writeFileSync(file, '1 qid:1 1:1\n0 qid:1 1:2\n')],
];

describe.each(formats)('%s', (name, content) => {
  it.each(changes)('%s: refused', async (_, change) => {
    const file = join(temporaryDirectory(), name);
    writeFileSync(file, content);
    let changed = false;
    const reading = readDataset(file, {
      threads: 1,
      progress: done => {
        if (changed || done < 100_000) return;
        changed = true;
        change(file);
      },
    });
    await expect(reading).rejects.toMatchObject({ place: { file } });
    expect(changed).toBe(true);
  });
});

it('says that it changed where nothing else is wrong', async () => {
  const file = join(temporaryDirectory(), 'data.txt');
  writeFileSync(file, svmlight);
  const input = await fileInput(file);
  const read = async () => {
    for await (const chunk of input.open()) if (chunk.length > 0) appendFileSync(file, '1 qid:1 1:1\n');
  };
  await expect(read()).rejects.toMatchObject({
    code: 'file-unreadable',
    message: expect.stringContaining('it changed while it was read'),
  });
});
