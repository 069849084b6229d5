/** Weights of queries and documents. Forces are linear in them, so objectives need not know them. */
import type { Dataset } from '../data/dataset.js';
import type { Forces } from './objective.js';

/** Multiplies the forces and curvatures of query q by the weight of the query and of each document. */
export function weighForces(data: Dataset, q: number, { lambda, curvature }: Forces): void {
  const { rowWeights, queryWeights, offsets } = data;
  if (rowWeights === undefined && queryWeights === undefined) return;
  const start = offsets[q]!;
  const n = offsets[q + 1]! - start;
  for (let i = 0; i < n; i++) {
    const weight = (queryWeights?.[q] ?? 1) * (rowWeights?.[start + i] ?? 1);
    lambda[i]! *= weight;
    curvature[i]! *= weight;
  }
}
