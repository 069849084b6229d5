import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { scoreData } from '#listwise/models/ranker.js';
import { ScoringThreads, scoreDataOnThreads } from '#listwise/models/scoring-threads.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { type EnsembleShape, randomEnsemble, randomRows } from './random-trees.js';

const shape: EnsembleShape = { features: 5, leaves: [31, 9, 300], grid: 300, skew: 0.2 };

function dataOf(rows: number) {
  const builder = new DatasetBuilder({ absent: 0 });
  builder.append({
    rows,
    width: 5,
    stride: rows,
    columns: randomRows(1, rows, shape, 0.1),
    labels: { label: new Float64Array(rows) },
    queries: [{ id: '1', rows }],
  });
  return builder.finish();
}

describe('scoring on threads', () => {
  const model = randomEnsemble(1, shape);

  it('gives the scores of one thread, again and again', async () => {
    const pool = await ScoringThreads.start(model, 3);
    for (const rows of [30_000, 5, 8192]) {
      const data = dataOf(rows);
      expect([...(await pool.score(data))]).toEqual([...scoreData(model, data)]);
    }
    await pool.close();
  });

  it('does so whether it pays or not', async () => {
    for (const rows of [100, 60_000]) {
      const data = dataOf(rows);
      expect([...(await scoreDataOnThreads(model, data, 2))]).toEqual([...scoreData(model, data)]);
    }
  });

  it('fails where a thread cannot read the model', async () => {
    class Broken extends TreesModel {
      override toJSON() {
        return { ...super.toJSON(), base: null };
      }
    }
    await expect(ScoringThreads.start(new Broken(model), 2)).rejects.toThrow(/does not match its checksum/);
  });
});
