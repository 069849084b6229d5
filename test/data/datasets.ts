/** Random data sets for property tests, and what it means for two to be equal. */

import fc from 'fast-check';
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';

export interface DatasetShape {
  /** What ids may be; features are numbered where their names are not given. */
  id: fc.Arbitrary<string>;
  featureNames?: fc.Arbitrary<string> | undefined;
  bothWeights: boolean;
}

const feature = fc.oneof(
  { weight: 4, arbitrary: fc.float({ noDefaultInfinity: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -0, 1, Number.NaN, 2 ** -149, 3.4028234663852886e38, 0.1, 1e-7, 16777216),
  },
  { weight: 2, arbitrary: fc.integer({ min: -1000, max: 1000 }).map(n => n / 100) },
);
const number = fc.oneof(fc.integer({ min: -3, max: 40 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const weight = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });

export function datasets(shape: DatasetShape): fc.Arbitrary<Dataset> {
  return fc
    .record({
      queries: fc.uniqueArray(fc.tuple(shape.id, fc.integer({ min: 1, max: 4 })), {
        minLength: 1,
        maxLength: 5,
        selector: ([id]) => id,
      }),
      names: fc.uniqueArray(shape.featureNames ?? fc.constant('1'), {
        maxLength: 4,
        minLength: 1,
        selector: name => name.toLowerCase(),
      }),
      width: fc.integer({ min: 1, max: 5 }),
      documents: fc.boolean(),
      clicks: fc.boolean(),
      rowWeights: fc.boolean(),
      queryWeights: fc.boolean(),
      positions: fc.boolean(),
      initialScores: fc.boolean(),
      seed: fc.infiniteStream(fc.tuple(feature, number, weight, shape.id, fc.integer({ min: 1, max: 30 }))),
    })
    .map(parts => {
      const rows = parts.queries.reduce((sum, [, length]) => sum + length, 0);
      const names =
        shape.featureNames === undefined ? Array.from({ length: parts.width }, (_, f) => String(f + 1)) : parts.names;
      const next = () => parts.seed.next().value!;
      const column = (value: () => number) => Float64Array.from({ length: rows }, value);
      const builder = new DatasetBuilder({ absent: 0, featureNames: names });
      const label = column(() => next()[1]);
      const clicks = column(() => (next()[4] < 8 ? Number.NaN : next()[1]));
      builder.append({
        rows,
        width: names.length,
        stride: rows,
        columns: Float32Array.from({ length: rows * names.length }, () => next()[0]),
        queries: parts.queries.map(([id, length]) => ({ id, rows: length })),
        labels: parts.clicks ? { label, clicks } : { label },
        documentIds: parts.documents ? Array.from({ length: rows }, () => next()[3]) : undefined,
        rowWeights: parts.rowWeights ? column(() => next()[2]) : undefined,
        positions: parts.positions ? column(() => (next()[4] < 4 ? Number.NaN : next()[4])) : undefined,
        initialScores: parts.initialScores ? column(() => next()[1]) : undefined,
      });
      const data = builder.finish();
      // One weight a query looks like one a document where every query has one document.
      const weighted = parts.queryWeights && rows !== data.queries && (shape.bothWeights || !parts.rowWeights);
      return weighted
        ? data.with({ queryWeights: Float64Array.from({ length: data.queries }, () => next()[2]) })
        : data;
    });
}

/** Everything a data set holds as plain values, to compare two; -0 and NaN stay what they are. */
export function plain(data: Dataset): unknown {
  return {
    features: data.featureNames,
    queries: data.queryIds,
    offsets: [...data.offsets],
    rows: Array.from({ length: data.rows }, (_, row) => data.featureNames.map((_, f) => data.feature(row, f))),
    labels: [...data.labels].map(([name, values]) => [name, [...values]]),
    documents: data.documentIds && Array.from({ length: data.rows }, (_, row) => data.documentIds!.get(row)),
    rowWeights: data.rowWeights && [...data.rowWeights],
    queryWeights: data.queryWeights && [...data.queryWeights],
    positions: data.positions && [...data.positions],
    initialScores: data.initialScores && [...data.initialScores],
  };
}

/** A small data set from rows: query, label and features each. */
export function datasetOf(
  rows: readonly (readonly [query: string, label: number, ...features: number[]])[],
  featureNames?: readonly string[],
): Dataset {
  const width = Math.max(0, ...rows.map(row => row.length - 2));
  const builder = new DatasetBuilder({ absent: 0, ...(featureNames === undefined ? {} : { featureNames }) });
  for (const [query, label, ...features] of rows) {
    builder.append({
      rows: 1,
      width,
      stride: 1,
      columns: Float32Array.from({ length: width }, (_, f) => features[f] ?? 0),
      queries: [{ id: query, rows: 1 }],
      labels: { label: Float64Array.of(label) },
    });
  }
  return builder.finish();
}
