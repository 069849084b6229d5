/** The sections of an analysis of importance. */
import type { Drop } from '../analysis/importance.js';
import type { Ranker } from '../models/ranker.js';
import type { BarsChart } from './charts.js';
import { featureImportance } from './feature-importance.js';
import type { Section } from './page.js';

export interface Permutation {
  /** For each feature of the model, the drop of every measure. */
  readonly drops: readonly (readonly Drop[])[];
  /** The measures as they were asked for. */
  readonly asked: readonly string[];
  readonly repeats: number;
  /** Among which documents values were shuffled, in words. */
  readonly among: string;
}

export function importanceSections(model: Ranker, permutation: Permutation | undefined): Section[] {
  const own = featureImportance(model);
  return [
    ...(permutation === undefined ? [] : [shuffled(model.featureNames, permutation)]),
    ...(own === undefined
      ? []
      : [{ title: 'By the model itself', lead: 'What training made of the features.', blocks: [own] }]),
  ];
}

/** The most important feature, in one sentence. */
export function importanceVerdict(model: Ranker, permutation: Permutation | undefined): string {
  if (permutation !== undefined) {
    const [best] = dropBars(model.featureNames, permutation, 0);
    if (best === undefined) return 'The model has no features.';
    if (!(best.value > 0)) return `No feature matters: shuffled, none of them costs any ${permutation.asked[0]}.`;
    return `Feature ${best.name} matters most: shuffled, it costs ${best.value.toFixed(4)} of ${permutation.asked[0]}.`;
  }
  const best = featureImportance(model)?.bars[0];
  if (best === undefined) return 'The model cannot tell by itself what matters.';
  return `Feature ${best.name} matters most to this ${model.kind} model.`;
}

function shuffled(names: readonly string[], permutation: Permutation): Section {
  const { asked, drops, repeats, among } = permutation;
  const without = asked.map((measure, m) => `${measure} ${drops[0]?.[m]?.value.toFixed(4) ?? '–'}`).join(', ');
  return {
    title: 'By permutation',
    lead: `How much a measure drops when a feature is shuffled ${among}, ${repeats} times. Without shuffling: ${without}.`,
    blocks: asked.map(
      (measure, m): BarsChart => ({
        kind: 'bars',
        title: `Drop of ${measure}`,
        ...(repeats > 1 && { note: 'Whiskers are one standard deviation over the shuffles.' }),
        x: { label: `drop of ${measure}`, style: 'value' },
        item: 'feature',
        bars: dropBars(names, permutation, m),
      }),
    ),
  };
}

function dropBars(names: readonly string[], { drops }: Permutation, m: number): BarsChart['bars'] {
  return names
    .map((name, f) => {
      const { mean, deviation } = drops[f]![m]!;
      const whisker = Number.isNaN(deviation) ? {} : { low: mean - deviation, high: mean + deviation };
      return { name, value: mean, ...whisker };
    })
    .sort((a, b) => (b.value || 0) - (a.value || 0));
}
