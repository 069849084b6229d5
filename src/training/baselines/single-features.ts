/** Every feature by itself as a ranking: how far it gets without any model. */
import type { Dataset } from '../../data/dataset.js';
import { evaluateSteps, type MeasureResult } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { singleFeature } from '../../models/linear/linear.js';
import { scoreData } from '../../models/ranker.js';
import { partOf, type Steps } from '../../steps.js';

export interface SingleFeature {
  readonly feature: string;
  /** Whether high or low values rank first: whichever is better. */
  readonly direction: 'high' | 'low';
  /** By query, and over them. */
  readonly result: Pick<MeasureResult, 'measure' | 'asked' | 'values' | 'mean'>;
}

/** In the order of the data. Where both directions are as good, high values rank first. */
export function* singleFeatureSteps(data: Dataset, measure: string | Measure): Steps<SingleFeature[]> {
  const found: SingleFeature[] = [];
  for (const [f, feature] of data.featureNames.entries()) {
    let best: SingleFeature | undefined;
    for (const [d, direction] of (['high', 'low'] as const).entries()) {
      const model = singleFeature(feature, data.featureNames, direction === 'high' ? 1 : -1);
      const share = (part: number) => (f + part / 2) / data.features;
      const steps = evaluateSteps(data, scoreData(model, data), [measure]);
      // Scores are not kept: of wide data they would be as much as the data.
      const { measure: by, asked, values, mean } = (yield* partOf(steps, share(d), share(d + 1)))[0]!;
      if (best !== undefined && !(mean > best.result.mean)) continue;
      best = { feature, direction, result: { measure: by, asked, values, mean } };
    }
    found.push(best!);
  }
  return found;
}
