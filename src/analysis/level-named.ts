/** What people call the value of a category. */
import type { Ranker } from '../models/ranker.js';

/** The level of a category, where the model knows them by name. */
export function levelNamed(model: Ranker, feature: string, value: number): string | undefined {
  const names = model.description?.categories[feature];
  return names && (names[value] ?? codeShown(value));
}

/** Its code where the model has no names. */
export function levelShown(model: Ranker, feature: string, value: number): string {
  return levelNamed(model, feature, value) ?? codeShown(value);
}

function codeShown(value: number): string {
  return Number.isNaN(value) ? 'missing' : String(value);
}
