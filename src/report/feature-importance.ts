/** What a model makes of each feature, where it can say so by itself. */
import type { Ranker } from '../models/ranker.js';
import type { Bar, BarsChart } from './charts.js';

/** The model's features as bars, most important first; undefined for a model that cannot tell. */
export function featureImportance(model: Ranker): BarsChart | undefined {
  const use = model.splitUse?.();
  if (use !== undefined) return bySplits(model.featureNames, use.splits, use.gain);
  const weights = model.featureWeights?.();
  if (weights !== undefined) return byWeights(model.featureNames, weights);
  const strengths = model.inputStrengths?.();
  return strengths && byStrengths(model.featureNames, strengths);
}

function bySplits(names: readonly string[], splits: Float64Array, gain: Float64Array): BarsChart {
  const total = gain.reduce((sum, value) => sum + value, 0) || 1;
  const bars = names.map((name, f) => ({
    name,
    value: gain[f]! / total,
    details: [
      { label: 'splits', value: splits[f]!, style: 'count' as const },
      { label: 'gain', value: gain[f]! },
    ],
  }));
  return {
    kind: 'bars',
    title: 'Features by the gain of their splits',
    x: { label: 'share of all gain', style: 'percent' },
    item: 'feature',
    bars: sorted(bars),
  };
}

function byWeights(names: readonly string[], weights: Float64Array): BarsChart {
  return {
    kind: 'bars',
    title: 'Features by their weight',
    note: 'How much the score grows when a feature grows by its scale (one standard deviation where features were standardised).',
    x: { label: 'weight' },
    item: 'feature',
    bars: sorted(names.map((name, f) => ({ name, value: weights[f]! }))),
  };
}

function byStrengths(names: readonly string[], strengths: Float64Array): BarsChart {
  return {
    kind: 'bars',
    title: 'Features by their weights in the first layer',
    note: 'The root of the sum of squared weights, for one scale of the feature. What later layers make of it is not in this: analyse importance says it, from data.',
    x: { label: 'size of the weights' },
    item: 'feature',
    bars: sorted(names.map((name, f) => ({ name, value: strengths[f]! }))),
  };
}

function sorted(bars: readonly Bar[]): Bar[] {
  return [...bars].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}
