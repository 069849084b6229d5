/** Adds a constant to every score. Lucene refuses scores below 0; the order stays. */
import { ListwiseError, quote } from '../errors.js';
import type { Ranker } from '../models/ranker.js';
import { nextAbove } from './float32.js';

/** An offset: a number as text, or `auto` for the least whole one with which no document can score below 0. */
export function offsetOf(model: Ranker, text: string | undefined): number {
  const offset = text === 'auto' ? leastOffset(model) : Number(text ?? 0);
  if (text?.trim() === '' || !Number.isFinite(offset)) {
    throw new ListwiseError('option-invalid', `\`offset\` must be a number or "auto", found ${quote(text!)}`);
  }
  return offset;
}

/** The model with every score higher by the offset. */
export function withOffset(model: Ranker, offset: number): Ranker {
  if (offset === 0) return model;
  if (model.plus !== undefined) return model.plus(offset);
  throw new ListwiseError('model-unsupported', `a ${model.kind} model takes no offset`);
}

function leastOffset(model: Ranker): number {
  const terms = model.leastTerms?.();
  if (terms === undefined) {
    throw new ListwiseError(
      'option-invalid',
      `scores of a ${model.kind} model have no lower bound: give \`offset\` a number`,
    );
  }
  let offset = Math.max(0, Math.ceil(-terms.reduce((sum, value) => sum + value)));
  // Beyond 2^24 the next whole number can be the same in 32 bits.
  while (roundedSum(offset, terms) < 0) offset = Math.max(offset + 1, nextAbove(Math.fround(offset)));
  return offset;
}

/** The sum as engines have it, rounded to 32 bits after every tree. Rounding keeps order. */
function roundedSum(offset: number, [base = 0, ...values]: readonly number[]): number {
  return values.reduce((sum, value) => Math.fround(sum + Math.fround(value)), Math.fround(base + offset));
}
