/**
 * What is written reads back as the same data set: features bit for bit, labels, ids, weights, positions, initial
 * scores.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { writers } from '#listwise/data/writers/all.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { temporaryDirectory } from '../../temporary.js';
import { datasets, plain } from '../datasets.js';

const directory = temporaryDirectory();
const word = fc.stringMatching(/^[A-Za-z0-9_.:=\-äß漢]{1,8}$/);
// Blanks, quotes, delimiters and line ends inside; DuckDB knows no empty text apart from NULL in CSV.
const text = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ',', '"', "'", '\t', '\n', '\r\n', ' ', '#', 'é', '\\'),
  minLength: 1,
  maxLength: 6,
});
const featureName = fc
  .string({ unit: fc.constantFrom('a', 'B', '7', ',', '"', "'", ' ', '#', 'é', ')', ';'), minLength: 1, maxLength: 6 })
  .filter(name => name.trim() !== '')
  .map(name => `f${name}`);

describe('round trips', () => {
  let file = 0;
  for (const writer of writers) {
    const words = writer.name === 'svmlight';
    const endings = writer.gzip ? ['', '.gz'] : [''];
    it.each(endings)(`${writer.name}%s`, async ending => {
      await fc.assert(
        fc.asyncProperty(
          datasets(
            words ? { id: word, bothWeights: false } : { id: text, featureNames: featureName, bothWeights: true },
          ),
          async data => {
            const target = join(directory, `${file++}.${writer.extensions[0]}${ending}`);
            const files = await writeDataset(data, target, { sparse: file % 2 === 0 });
            const labelFiles = files
              .filter(name => name.endsWith('.clicks'))
              .map(name => ({ name: 'clicks', file: name }));
            expect(plain(await readDataset(target, { labelFiles }))).toStrictEqual(plain(data));
          },
        ),
        { numRuns: ending === '' ? 40 : 8 },
      );
    });
  }
});
