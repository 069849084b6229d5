import { expect, it } from 'vitest';
import { findingVerdict } from '#listwise/reproduce/experiment.js';

it.each([
  [true, 0.001, 'holds'],
  [true, 0.9, 'holds'],
  [false, 0.001, 'contradicted'],
  [false, 0.98, 'cannot tell'],
  [false, 0.05, 'cannot tell'],
  [false, Number.NaN, 'contradicted'],
  [false, null, 'contradicted'],
])('holds %s at p %s: %s', (holds, p, verdict) => expect(findingVerdict({ holds, p })).toBe(verdict));
