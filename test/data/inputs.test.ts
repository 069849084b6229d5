/** What is read, and how far reading is. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { readInputs } from '#listwise/data/read/read.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { followed, memoryInput } from '#listwise/io/inputs.js';
import { withoutPipes } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const data = generateDataset('cubic', { queries: 300, documents: 20, features: 20, seed: 1 });

/** All that was reported while reading. */
async function reported(path: string): Promise<[number, number | undefined][]> {
  const seen: [number, number | undefined][] = [];
  await readDataset(path, { progress: (done, total) => seen.push([done, total]) });
  return seen;
}

describe.skipIf(withoutPipes)('a pipe with a name', () => {
  /** A pipe that somebody puts a text into, once. */
  function piped(name: string, text: string): { pipe: string; written: Promise<unknown> } {
    const [pipe, from] = [join(directory, name), join(directory, `${name}.text`)];
    writeFileSync(from, text);
    execFileSync('mkfifo', [pipe]);
    return { pipe, written: once(spawn('sh', ['-c', 'cat "$0" > "$1"', from, pipe]), 'exit') };
  }

  it.each([
    ['whose rows name no query', '1 1:0.5\n0 1:0.25\n2 1:1\n', 'svmlight'],
    ['whose rows name the query', '1 qid:1 1:0.5\n0 qid:1 1:0.25\n2 qid:2 1:1\n', 'svmlight'],
    ['that is a table', 'qid,label,1\n1,1,0.5\n1,0,0.25\n2,2,1\n', 'csv'],
  ])('%s is read twice where that is needed', async (name, text, format) => {
    const { pipe, written } = piped(name.replaceAll(' ', '-'), text);
    const group = join(directory, 'sizes');
    writeFileSync(group, '2\n1\n');
    const read = await readDataset(pipe, { format, group });
    await written;
    expect([read.queries, read.rows, [...read.column(0)]]).toEqual([2, 3, [0.5, 0.25, 1]]);
  });

  it('has no files beside it', async () => {
    const { pipe, written } = piped('alone', '1 qid:1 1:0.5\n');
    writeFileSync(`${pipe}.weight`, '3\n');
    expect((await readDataset(pipe)).rowWeights).toBeUndefined();
    await written;
  });
});

describe('progress of reading', () => {
  it.each(['data.txt', 'data.txt.gz', 'data.csv', 'data.csv.gz', 'data.jsonl', 'data.parquet'])(
    'rises to the end: %s',
    async name => {
      const path = join(directory, name);
      await writeDataset(data, path);
      const seen = await reported(path);
      const total = seen[0]![1]!;
      expect(total).toBeGreaterThan(1000);
      expect(seen.every(([done], i) => i === 0 || done > seen[i - 1]![0])).toBe(true);
      expect(seen.at(-1)![0] / total).toBeCloseTo(1, 9);
      expect(seen.every(([, of]) => of === total)).toBe(true);
    },
  );

  it('is of all files together', async () => {
    const line = (q: number) => `1 qid:${q} 1:1\n`;
    writeFileSync(join(directory, 'part1.svm'), line(1).repeat(100));
    writeFileSync(join(directory, 'part2.svm'), gzipSync(line(2).repeat(50)));
    writeFileSync(join(directory, 'part3.svm'), line(3).repeat(50));
    const seen = await reported(join(directory, 'part*.svm'));
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen.at(-1)![0]).toBe(seen.at(-1)![1]);
  });

  it('counts bytes where the size is not known', async () => {
    const { size: _, ...input } = memoryInput('stdin', Buffer.from('1 qid:1 1:1\n'));
    const seen: [number, number | undefined][] = [];
    await readInputs([input], { progress: (done, total) => seen.push([done, total]) });
    expect(seen).toEqual([[12, undefined]]);
  });

  it('costs nothing where nobody asks', () => {
    const inputs = [memoryInput('a', Buffer.of(1))];
    expect(followed(inputs, undefined)).toBe(inputs);
  });
});
