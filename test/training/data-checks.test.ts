/** What training says of its data before it begins. */
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { PRIMARY_LABEL } from '#listwise/data/primary-label.js';
import { selectQueries } from '#listwise/data/split.js';
import { printModel } from '#listwise/models/model-file.js';
import type { Objective } from '#listwise/objectives/objective.js';
import { parseObjective } from '#listwise/objectives/parse.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { crossValidate } from '#listwise/tuning/cross-validate.js';
import { tune } from '#listwise/tuning/tune.js';
import { categoryData } from './boosting/tree-data.js';
import { separable } from './small-data.js';
import '../threads-at-once.js';

const data = separable(12, 6, 3);
const other = renamed(separable(8, 6, 3, 2), 'v');
const quick = { model: 'linear', options: { epochs: 2 } };

function renamed(set: Dataset, prefix: string): Dataset {
  return set.with({ queryIds: set.queryIds.map(id => prefix + id) });
}

const labelled = (set: Dataset, label: (old: number, row: number) => number) =>
  set.with({ labels: new Map([[PRIMARY_LABEL, set.label().map(label)]]) });

async function notesOf(settings: Partial<NamedSettings>): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  await trainNamed({ data, validate: other, ...quick, ...settings, note: (_, code) => codes.push(code) });
  return codes;
}

describe('data that cannot tell models apart is refused', () => {
  const blind = (text: string) =>
    expect.objectContaining({ code: 'selection-blind', message: expect.stringContaining(text) });

  it.each([
    ['no relevant document', () => 0],
    ['equal labels', () => 2],
  ])('%s', async (_, label) => {
    const validate = labelled(other, label);
    await expect(trainNamed({ data, validate, ...quick })).rejects.toEqual(
      blind('8 validation queries cannot tell models apart: in none of them do two documents have different labels'),
    );
  });

  it('one document a query', async () => {
    const offsets = Uint32Array.from({ length: other.rows + 1 }, (_, row) => row);
    const validate = other.with({ offsets, queryIds: Array.from({ length: other.rows }, (_, row) => `one ${row}`) });
    await expect(trainNamed({ data, validate, ...quick })).rejects.toEqual(blind('each of them has one document'));
  });

  it('a measure that is undefined throughout, but not where one query counts', async () => {
    const select = 'ap(rel=9)';
    await expect(trainNamed({ data, validate: other, select, ...quick })).rejects.toEqual(
      blind('ap(rel=9) is undefined'),
    );
    const one = labelled(other, (label, row) => (row === 3 ? 9 : label));
    expect((await trainNamed({ data, validate: one, select, ...quick })).iterations).toBe(2);
  });

  it('queries held out, and parts of a search', async () => {
    const flat = labelled(data, (label, row) => (row < 0 ? label : 1));
    await expect(trainNamed({ data: flat, holdout: 0.5, ...quick })).rejects.toEqual(blind('6 queries held out'));
    const space = { model: 'linear', search: { rate: { choices: [0.01, 0.1] } } };
    const folds = [{ train: data, validate: labelled(other, () => 0) }];
    await expect(tune({ space, folds, trials: 2 })).rejects.toEqual(
      blind('8 queries that trials are evaluated on in fold 1 of 1'),
    );
  });
});

/** The rows of each query by falling label, as judgments are often exported. */
function sortedByLabel(set: Dataset): Dataset {
  const builder = new DatasetBuilder({ absent: 0, featureNames: set.featureNames });
  for (let q = 0; q < set.queries; q++) {
    const rows = Array.from({ length: set.offsets[q + 1]! - set.offsets[q]! }, (_, i) => set.offsets[q]! + i);
    rows.sort((a, b) => set.label()[b]! - set.label()[a]!);
    builder.append({
      rows: rows.length,
      width: set.features,
      stride: rows.length,
      columns: Float32Array.from(set.featureNames.flatMap((_, f) => rows.map(row => set.feature(row, f)))),
      labels: { label: Float64Array.from(rows, row => set.label()[row]!) },
      queries: [{ id: set.queryIds[q]!, rows: rows.length }],
    });
  }
  return builder.finish();
}

describe('the order of rows in the selecting data', () => {
  it.each(['trees', 'forest', 'linear', 'net'])('changes nothing for %s', async model => {
    const key = model === 'trees' || model === 'forest' ? 'trees' : 'epochs';
    const settings = { data, model, options: { [key]: 6 }, select: 'ndcg@3', measures: 'ap,11pt,rr', threads: 2 };
    const [a, b] = await Promise.all(
      [other, sortedByLabel(other)].map(validate => trainNamed({ ...settings, validate })),
    );
    expect(b!.log.map(({ validation }) => validation)).toEqual(a!.log.map(({ validation }) => validation));
    expect(b!.log.map(({ measures }) => measures)).toEqual(a!.log.map(({ measures }) => measures));
    expect(printModel(b!.model)).toBe(printModel(a!.model));
  });
});

describe('doubts are told with a code', () => {
  it('categories that become numbers, not where trees split them', async () => {
    const sets = { data: categoryData(1, { queries: 40 }), validate: renamed(categoryData(2, { queries: 20 }), 'v') };
    expect(await notesOf(sets)).toContain('category-as-number');
    expect(await notesOf({ ...sets, model: 'rankboost', options: { rounds: 2 } })).toContain('category-as-number');
    expect(await notesOf({ ...sets, model: 'trees', options: { trees: 2 } })).not.toContain('category-as-number');
  });

  it('none of data without', async () => expect(await notesOf({})).toEqual([]));

  it('queries in both', async () => {
    expect(await notesOf({ validate: data })).toEqual(['query-shared']);
    expect(await notesOf({ validate: renamed(separable(8, 6, 3, 2), '') })).toEqual(['query-shared']);
  });

  it('features', async () => {
    const names = ['position', 'b', 'c'];
    const named = (set: Dataset) => set.with({ featureNames: names });
    expect(await notesOf({ data: named(data), validate: named(other) })).toEqual(['feature-named']);
  });

  it('positions that no objective reads, and they change nothing', async () => {
    const positions = Float64Array.from({ length: data.rows }, (_, row) => 1 + (row % 6));
    const shown = data.with({ positions });
    expect(await notesOf({ data: shown })).toEqual(['position-unused']);
    const [a, b] = await Promise.all([data, shown].map(set => trainNamed({ data: set, validate: other, ...quick })));
    expect(printModel(a!.model)).toBe(printModel(b!.model));
  });

  it('positions that an objective of the user reads are given to it', async () => {
    const positions = Float64Array.from({ length: data.rows }, (_, row) => 1 + (row % 6));
    const seen: number[][] = [];
    const plain = parseObjective('ranknet');
    const objective: Objective = {
      ...plain,
      readsPositions: true,
      start(set) {
        const run = plain.start(set);
        return {
          lambdas(view, out) {
            seen.push([...view.positions!]);
            return run.lambdas(view, out);
          },
        };
      },
    };
    expect(await notesOf({ data: data.with({ positions }), objective })).toEqual([]);
    expect(seen[0]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('once for all folds', async () => {
    const queries = (from: number, to: number) =>
      selectQueries(
        data,
        Uint32Array.from({ length: to - from }, (_, i) => from + i),
      );
    const folds = [
      { fold: 1, train: queries(0, 8), validate: queries(4, 8), test: queries(8, 10) },
      { fold: 2, train: queries(2, 9), validate: queries(4, 9), test: queries(10, 12) },
    ];
    const told: (string | undefined)[] = [];
    await crossValidate({ folds, ...quick, threads: 2, note: (_, code) => told.push(code) });
    expect(told).toEqual(['query-shared']);
  });
});
