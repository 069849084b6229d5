import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { ListwiseError } from '#listwise/errors.js';
import { LinearModel, singleFeature } from '#listwise/models/linear/linear.js';
import { matchFeatures } from '#listwise/models/match-features.js';
import { loadModel, parseModel, printModel, saveModel } from '#listwise/models/model-file.js';
import { checksum } from '#listwise/models/model-object.js';
import { scoreData } from '#listwise/models/ranker.js';
import { temporaryDirectory } from '../temporary.js';

/** One query a row of values. */
function dataOf(rows: readonly (readonly number[])[], featureNames: readonly string[]): Dataset {
  const builder = new DatasetBuilder({ absent: 0, featureNames });
  for (const [q, values] of rows.entries()) {
    builder.append({
      rows: 1,
      width: values.length,
      stride: 1,
      columns: Float32Array.from(values),
      labels: { label: Float64Array.of(0) },
      queries: [{ id: String(q), rows: 1 }],
    });
  }
  return builder.finish();
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ListwiseError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

const value = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e30, max: 1e30 }),
  fc.integer({ min: -9, max: 9 }),
);
const model = fc.integer({ min: 1, max: 6 }).chain(n => {
  const values = fc.array(value, { minLength: n, maxLength: n });
  const scale = fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { minLength: n, maxLength: n });
  return fc.record({
    featureNames: fc.constant(Array.from({ length: n }, (_, f) => `f${f}`)),
    weights: values,
    bias: value,
    standardise: fc.option(fc.record({ mean: values, scale }), { nil: undefined }),
    missing: fc.option(values, { nil: undefined }),
  });
});

describe('LinearModel', () => {
  it('computes bias + sum of weight (x - mean) / scale', () => {
    const parts = { featureNames: ['a', 'b'], weights: [2, 3], bias: 1 };
    const data = dataOf(
      [
        [4, 5],
        [Number.NaN, 1],
      ],
      parts.featureNames,
    );
    expect([...scoreData(new LinearModel(parts), data)]).toEqual([1 + 8 + 15, 1 + 0 + 3]);
    const standardise = { mean: [2, 1], scale: [4, 2] };
    expect([...scoreData(new LinearModel({ ...parts, standardise }), data)]).toEqual([1 + 1 + 6, 1 + 0 + 0]);
    expect([...scoreData(new LinearModel({ ...parts, missing: [10, 0] }), data)]).toEqual([24, 1 + 20 + 3]);
  });

  it('scores rows as it scores blocks, and exactly the same after a round trip through text', () => {
    fc.assert(
      fc.property(
        model,
        fc.array(fc.float({ noDefaultInfinity: true }), { minLength: 18, maxLength: 18 }),
        (parts, x) => {
          const ranker = new LinearModel(parts);
          const n = parts.featureNames.length;
          const data = dataOf(
            [0, 1, 2].map(i => x.slice(i * n, i * n + n)),
            parts.featureNames,
          );
          const scores = scoreData(ranker, data);
          for (let row = 0; row < 3; row++) {
            expect(ranker.scoreRow(parts.featureNames.map((_, f) => data.feature(row, f)))).toBe(scores[row]);
          }
          const again = parseModel(printModel(ranker));
          expect(again.featureNames).toEqual(ranker.featureNames);
          expect(scoreData(again, data)).toEqual(scores);
          expect(printModel(again)).toBe(printModel(ranker));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('ranks by a single feature, whatever the others hold', () => {
    const data = dataOf(
      [
        [7, Number.NaN],
        [8, 1],
      ],
      ['a', 'b'],
    );
    expect([...scoreData(singleFeature('a', data.featureNames), data)]).toEqual([7, 8]);
    expect([...scoreData(singleFeature('a', data.featureNames, -1), data)]).toEqual([-7, -8]);
    expect(() => singleFeature('c', data.featureNames)).toThrowError(/no feature "c"/);
  });
});

describe('matchFeatures', () => {
  const names = (...featureNames: string[]) => ({ featureNames });
  const data = (...featureNames: string[]) => dataOf([featureNames.map((_, f) => f)], featureNames);

  it('matches by name, not by place', () => {
    expect([...matchFeatures(names('a', 'b', 'c'), data('c', 'a', 'b'))]).toEqual([1, 2, 0]);
    const model = new LinearModel({ featureNames: ['a', 'b'], weights: [1, 10] });
    expect([...scoreData(model, data('b', 'a'))]).toEqual([1]);
  });

  it('names missing and extra features', () => {
    expect(codeOf(() => matchFeatures(names('a', 'b'), data('a', 'x')))).toBe(
      'feature-mismatch: the data lacks "b" of the model\'s features and has "x" that the model does not know; ' +
        'data and model must have the same features (model 2, data 2). Leave out what is too much with `ignore: x`',
    );
    expect(codeOf(() => matchFeatures(names('1', '2'), data('1', '2', '3')))).toContain('has "3" that');
    expect(codeOf(() => matchFeatures(names('1', '2', '3'), data('2', '3')))).toContain('lacks "1"');
    expect(codeOf(() => matchFeatures(names('a', 'b', 'c', 'd', 'e', 'f', 'g'), data('h')))).toContain('(7 in all)');
  });

  it('takes features that the data never names as absent when asked to, with a note', () => {
    const notes: string[] = [];
    const model = new LinearModel({ featureNames: ['1', '2', '3'], weights: [1, 1, 1], missing: [0, 0, 5] });
    expect([...matchFeatures(model, data('1', '2'), { fill: true, note: text => notes.push(text) })]).toEqual([
      0, 1, -1,
    ]);
    expect(notes).toEqual(['the data never names "3": they count as zero']);
    expect([...scoreData(model, data('1', '2'), { fill: true })]).toEqual([1]);
    expect([...scoreData(model, data('1', '2'), { fill: true, absent: Number.NaN })]).toEqual([6]);
    expect(() => matchFeatures(model, data('1', '2'))).toThrow(/lacks "3" .* say `fill: true`/);
  });
});

describe('model files', () => {
  const directory = temporaryDirectory();
  const ranker = new LinearModel({ featureNames: ['a', 'b'], weights: [0.1, -1 / 3], bias: 1e-300 });

  it('are written whole and read back', async () => {
    const path = join(directory, 'linear.json');
    await saveModel(path, ranker);
    expect(readdirSync(directory)).toEqual(['linear.json']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      format: 'listwise/model/2',
      kind: 'linear',
      featureNames: ['a', 'b'],
      weights: [0.1, -1 / 3],
      bias: 1e-300,
    });
    expect(await loadModel(path)).toEqual(ranker);
    await expect(loadModel(join(directory, 'none.json'))).rejects.toMatchObject({ code: 'file-not-found' });
    await expect(loadModel(directory)).rejects.toMatchObject({ code: 'file-unreadable' });
    await expect(saveModel(join(directory, 'no/such.json'), ranker)).rejects.toMatchObject({ code: 'file-unwritable' });
  });

  it('of version 1 still load', async () => {
    const old = await loadModel(fileURLToPath(new URL('../../docs/examples/linear.json', import.meta.url)));
    expect(old.kind).toBe('linear');
    expect(parseModel(printModel(old))).toEqual(old);
  });

  it('that are damaged are refused, saying what is wrong', async () => {
    const text = printModel(ranker);
    expect(codeOf(() => parseModel(''))).toContain('the file is empty');
    expect(codeOf(() => parseModel('1 qid:1 1:2'))).toContain('it starts with "1 qid:1 1:2"');
    expect(codeOf(() => parseModel('[]'))).toContain('model-invalid');
    expect(codeOf(() => parseModel('{}'))).toContain('found none');
    expect(codeOf(() => parseModel(text.replace('model/2', 'model/4')))).toContain('found "listwise/model/4"');
    expect(codeOf(() => parseModel(text.replace('0.1', '0.2'), 'm.json'))).toMatch(
      /^model-invalid: m.json: .*checksum/,
    );
    const path = join(directory, 'cut.json');
    writeFileSync(path, text.slice(0, -40));
    await expect(loadModel(path)).rejects.toMatchObject({ code: 'model-invalid', place: { file: path } });
  });

  it('whose values do not fit are refused even with a right checksum', () => {
    const wrong = (change: object) => {
      const { checksum: _, ...content } = { ...ranker.toJSON(), ...change };
      return codeOf(() => parseModel(JSON.stringify({ ...content, checksum: checksum(content) })));
    };
    expect(wrong({})).toBe('no error');
    expect(wrong({ weights: [1] })).toContain('"weights" must be an array of 2 finite numbers, found an array of 1');
    expect(wrong({ weights: [1, null] })).toContain('"weights" must be');
    expect(wrong({ bias: 'x' })).toContain('"bias" must be a finite number, found "\\"x\\""');
    expect(wrong({ scale: [1, 0] })).toContain('"scale" of feature "b" is 0');
    expect(wrong({ mean: undefined })).toContain('"mean" must be an array of 2 finite numbers, found nothing');
    expect(wrong({ featureNames: ['a', 'a'] })).toContain('"featureNames" holds "a" twice');
    expect(wrong({ kind: 'lineer' })).toContain('did you mean "linear"?');
    expect(wrong({ kind: 'constructor' })).toContain('no kind of model "constructor"');
  });
});
