/** How far reading is, whatever is read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { followed, memoryInput } from '#listwise/data/inputs.js';
import { readDataset, readInputs } from '#listwise/data/read.js';
import { writeDataset } from '#listwise/data/write.js';
import { temporaryDirectory } from './temporary.js';

const directory = temporaryDirectory();
const data = generateDataset('cubic', { queries: 300, documents: 20, features: 20, seed: 1 });

/** All that was told while reading. */
async function told(path: string): Promise<[number, number | undefined][]> {
  const seen: [number, number | undefined][] = [];
  await readDataset(path, { progress: (done, total) => seen.push([done, total]) });
  return seen;
}

describe('progress of reading', () => {
  it.each(['data.txt', 'data.txt.gz', 'data.csv', 'data.csv.gz', 'data.jsonl', 'data.parquet'])(
    'rises to the end: %s',
    async name => {
      const path = join(directory, name);
      await writeDataset(data, path);
      const seen = await told(path);
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
    const seen = await told(join(directory, 'part*.svm'));
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
