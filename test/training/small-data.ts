/** Small data sets for training tests. */
import type { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { generate } from '#listwise/data/generators/generate.js';
import { Random } from '#listwise/numeric/random.js';

/** Grades are a linear function of the features, cut at 0 and 1. */
export function separable(queries: number, documents: number, features: number, seed = 1): Dataset {
  const random = new Random(seed, 'separable');
  const weights = Array.from({ length: features }, (_, f) => (f % 2 ? -1 : 1) / (f + 1));
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < queries; q++) {
    const columns = Float32Array.from({ length: features * documents }, () => random.gaussian());
    const labels = Float64Array.from({ length: documents }, (_, i) => {
      const sum = weights.reduce((total, weight, f) => total + weight * columns[f * documents + i]!, 0);
      return sum > 1 ? 2 : sum > 0 ? 1 : 0;
    });
    builder.append({
      rows: documents,
      width: features,
      stride: documents,
      columns,
      labels: { label: labels },
      queries: [{ id: `q${q}`, rows: documents }],
    });
  }
  return builder.finish();
}

export function cubic(queries: number, seed: number, documents = 30, features = 12): Dataset {
  const parts = generate('cubic', { queries, documents, features, seed, functionSeed: 1 });
  const builder = new DatasetBuilder({ absent: 0, featureNames: parts.featureNames });
  for (const piece of parts.pieces()) builder.append(piece);
  return builder.finish();
}
