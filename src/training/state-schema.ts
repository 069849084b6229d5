/** What the states in checkpoints are made of: schemas that learners put theirs together from. */
import { z } from 'zod';
import type { IterationRecord } from './iteration-record.js';

export const count = z.int().min(0);

/** Any number, those that JSON has no word for, too. */
export const real = z.custom<number>(value => typeof value === 'number', 'not a number');

/** The number of one of so many things. */
export function oneOf(things: number): z.ZodType<number> {
  return z
    .int()
    .min(0)
    .max(things - 1);
}

/** Finite numbers, so many of them where that is known. */
export function floats(length?: number): z.ZodType<Float64Array> {
  return z.custom<Float64Array>(value => areFloats(value, length, Number.isFinite), `not ${length ?? 'all'} numbers`);
}

/** As above, where numbers may have become too large; never NaN. */
export function largeFloats(length: number): z.ZodType<Float64Array> {
  return z.custom<Float64Array>(value => areFloats(value, length, one => !Number.isNaN(one)), `not ${length} numbers`);
}

export function areFloats(value: unknown, length: number | undefined, isGood: (one: number) => boolean): boolean {
  return value instanceof Float64Array && (length === undefined || value.length === length) && value.every(isGood);
}

const reals = z.array(real);
const byName = z.record(z.string(), real);
const label = real;

/** A record of the log. */
export const iterationRecord: z.ZodType<IterationRecord> = z.object({
  iteration: z.int().min(1),
  cost: real,
  training: reals,
  validation: reals,
  measures: byName.exactOptional(),
  pairs: real,
  rate: real,
  facts: byName.exactOptional(),
  seconds: real,
  best: z.boolean(),
  event: z.literal('restart').exactOptional(),
  diagnostics: z
    .object({
      agreement: real,
      lambdaByLabel: z.array(z.object({ label, parts: reals })),
      lambdaSources: z.array(z.object({ label, share: real })),
      topLabels: z.array(z.object({ label, documents: real })),
      rankChanges: z.object({ top: real, all: real }),
    })
    .exactOptional(),
});
