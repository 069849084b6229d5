/** Whole numbers that float32 does not hold, as they are written in the input. */
import type { Dataset } from './dataset.js';

/** The texts of a feature that was rounded, where they were kept. */
export function exactTexts(data: Dataset, feature: string): ((row: number) => string) | undefined {
  const texts = data.rounded?.has(feature) ? data.extras?.get(feature) : undefined;
  return texts === undefined ? undefined : row => texts.get(row);
}

/** The same where they are plain numbers, as every format writes them. */
export function exactNumbers(data: Dataset, feature: string): ((row: number) => string | undefined) | undefined {
  const texts = exactTexts(data, feature);
  if (texts === undefined) return undefined;
  return row => {
    const text = texts(row).trim();
    return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? text : undefined;
  };
}
