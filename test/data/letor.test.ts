import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLetor } from '#listwise/data/letor.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const folder = (name: string) => {
  mkdirSync(join(directory, name), { recursive: true });
  return join(directory, name);
};
/** Two queries; rows of the first are apart, so that reading regroups them. Part 3 alone names feature 2. */
const part = (k: number) =>
  [`1 qid:${k}a 1:${k}1`, `0 qid:${k}b 1:${k}2`, `2 qid:${k}a 1:${k}3${k === 3 ? ' 2:7' : ''}`].join('\n');

describe('LETOR directories', () => {
  it('rotate five parts; rows count on from part to part, as if read as one', async () => {
    const parts = folder('parts');
    for (const k of [1, 2, 3, 4, 5]) writeFileSync(join(parts, `S${k}.txt`), part(k));
    const { data, folds } = await readLetor(parts);
    expect(folds.map(({ test }) => test.queryIds)).toEqual([5, 1, 2, 3, 4].map(k => [`${k}a`, `${k}b`]));
    expect(folds.map(({ validate }) => validate!.queryIds[0])).toEqual(['4a', '5a', '1a', '2a', '3a']);
    expect(folds[0]!.train.queryIds).toEqual(['1a', '1b', '2a', '2b', '3a', '3b']);
    const whole = await readDataset(parts);
    expect(data.queryIds).toEqual(whole.queryIds);
    expect([...data.inputRows!]).toEqual([...whole.inputRows!]);
    expect(data.featureNames).toEqual(['1', '2']);
    expect(folds.every(({ train, test }) => train.features === 2 && test.features === 2)).toBe(true);
  });

  it('or hold the folds themselves', async () => {
    const given = folder('given');
    for (const k of [1, 2, 3, 4, 5]) {
      mkdirSync(join(given, `Fold${k}`));
      const name = (i: number) => ((k + i - 1) % 5) + 1;
      for (const [i, file] of ['train.txt', 'vali.txt', 'test.txt'].entries()) {
        writeFileSync(join(given, `Fold${k}`, file), part(name(i)));
      }
    }
    const { data, folds } = await readLetor(given, { absent: 'missing' });
    expect(
      folds.map(({ fold, train, validate, test }) => [fold, ...[train, validate!, test].map(set => set.queryIds[0])]),
    ).toEqual([
      [1, '1a', '2a', '3a'],
      [2, '2a', '3a', '4a'],
      [3, '3a', '4a', '5a'],
      [4, '4a', '5a', '1a'],
      [5, '5a', '1a', '2a'],
    ]);
    expect(data.queryIds).toEqual([3, 4, 5, 1, 2].flatMap(k => [`${k}a`, `${k}b`]));
    expect(new Set(data.inputRows).size).toBe(15);
    expect(data.feature(0, 1)).toBeNaN();
    await expect(readLetor(given, {}, { validate: 2 })).rejects.toThrow('folders Fold1 to Fold5 say which queries');
  });

  it('are distinguished from what they are not', async () => {
    const empty = folder('empty');
    await expect(readLetor(empty)).rejects.toThrow('files S1 to S5 or folders Fold1 to Fold5');
    await expect(readLetor(join(directory, 'none'))).rejects.toMatchObject({ code: 'file-not-found' });
    writeFileSync(join(empty, 'S1.txt'), part(1));
    await expect(readLetor(join(empty, 'S1.txt'))).rejects.toThrow('this is a file');
    const lacking = folder('lacking');
    for (const k of [1, 2, 3, 4, 5]) mkdirSync(join(lacking, `Fold${k}`));
    writeFileSync(join(lacking, 'Fold1', 'train.txt'), part(1));
    await expect(readLetor(lacking)).rejects.toThrow('no file named vali');
  });
});
