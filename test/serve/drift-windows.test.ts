/** What /metrics says of drift: windows of requests, one after another. */
import { expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { createRanker } from '#listwise/models/create-ranker.js';
import { Random } from '#listwise/numeric/random.js';
import { DriftWindows } from '#listwise/serve/drift-windows.js';
import { headOf } from '#listwise/serve/request.js';
import type { ServedModel } from '#listwise/serve/served-models.js';
import { train } from '#listwise/training/train.js';

it('a full window is told until the next is full, and knows nothing of the one before', async () => {
  const random = new Random(1);
  const data = Dataset.from(
    Array.from({ length: 4000 }, (_, i) => ({ qid: `q${i >> 1}`, label: i % 2, a: random.gaussian() })),
  );
  const { model } = await train({ data, model: 'linear', options: { epochs: 1 } });
  const served = { name: 'm', version: undefined, ranker: createRanker(model) } as ServedModel;
  const notes: string[] = [];
  const windows = new DriftWindows(note => notes.push(note));
  const drifted = () => windows.gauges([served])[0]!.values.map(([, value]) => value);
  const send = (requests: number, shift: number) => {
    for (let i = 0; i < requests; i++) {
      const rows = Float32Array.of(random.gaussian() + shift);
      const documents = [{ id: 0, category: undefined, label: undefined }];
      const request = { id: 'r', head: headOf({}), served, rows, documents, unknownLevels: new Map() };
      windows.add(request, Float64Array.of(model.scoreRow(rows)));
    }
  };
  send(999, 0);
  expect(drifted()).toEqual([]);
  send(1, 0);
  expect(drifted()).toEqual([0]);
  send(1000, 2);
  expect(drifted()).toEqual([1]);
  expect(notes).toEqual([expect.stringMatching(/^m: .*\ba\b.* drifted from training$/)]);
  send(1000, 0);
  expect(drifted()).toEqual([0]);
});
