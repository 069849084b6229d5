import { describe, expect, it } from 'vitest';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { trainNamed } from '#listwise/training/train.js';

/** Two queries whose documents all have the same label. */
function equalLabels(label = 1) {
  const builder = new DatasetBuilder({ absent: 0 });
  for (const id of ['a', 'b']) {
    builder.append({
      rows: 30,
      width: 2,
      stride: 30,
      columns: Float32Array.from({ length: 60 }, (_, i) => (i * 7) % 11),
      labels: { label: new Float64Array(30).fill(label) },
      queries: [{ id, rows: 30 }],
    });
  }
  return builder.finish();
}

describe('training on labels that tell nothing', () => {
  it.each(['linear', 'net', 'trees'])('is an error for %s, not an untrained model', async model => {
    const settings = { data: equalLabels(), model, objective: 'lambdarank(ndcg)', holdout: 0 };
    await expect(trainNamed(settings)).rejects.toMatchObject({ code: 'training-without-lambda' });
  });

  it.each(['adarank', 'coordinate', 'rankboost', 'svm'])('is an error for %s, whatever the label', async model => {
    for (const label of [0, 1, 3]) {
      const settings = { data: equalLabels(label), model, select: 'ap', holdout: 0 };
      await expect(trainNamed(settings)).rejects.toMatchObject({
        code: 'training-without-lambda',
        message: expect.stringContaining(`${model} finds nothing to learn: in no query`),
      });
    }
  });
});
