/** The reference: AdaRank as Xu and Li 2007 print it, every ranking evaluated anew. */

export interface ReferenceRound {
  readonly feature: number;
  readonly direction: 1 | -1;
  readonly phi: number;
  readonly alpha: number;
  /** By query: the measure of the weak ranker, and of the ranker before and after the round. */
  readonly weak: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** `valuesOf` has the measure of each query ranked by a weighted sum of the features. No feature is set aside. */
export function adarankByEvaluation(
  features: number,
  valuesOf: (weights: Float64Array) => Float64Array,
  rounds: number,
  directions: readonly (1 | -1)[],
): ReferenceRound[] {
  const weights = new Float64Array(features);
  const queries = valuesOf(weights).length;
  let distribution = Float64Array.from({ length: queries }, () => 1 / queries);
  let before = Float64Array.from({ length: queries }, () => 0);
  return Array.from({ length: rounds }, () => {
    let best: Pick<ReferenceRound, 'feature' | 'direction' | 'phi' | 'weak'> | undefined;
    for (let feature = 0; feature < features; feature++) {
      for (const direction of directions) {
        const single = new Float64Array(features);
        single[feature] = direction;
        const weak = valuesOf(single);
        const phi = weak.reduce((sum, value, i) => sum + distribution[i]! * value, 0);
        if (best === undefined || phi > best.phi) best = { feature, direction, phi, weak };
      }
    }
    const { feature, direction, phi } = best!;
    const alpha = 0.5 * Math.log((1 + phi) / (1 - phi));
    weights[feature]! += direction * alpha;
    const after = Float64Array.from(valuesOf(weights));
    const kept = before;
    before = after;
    const unnormalised = after.map(value => Math.exp(-value));
    const total = unnormalised.reduce((sum, weight) => sum + weight, 0);
    distribution = unnormalised.map(weight => weight / total);
    return { ...best!, alpha, before: kept, after };
  });
}
