/** Places of a line, which kernels know steps by. */
import { PLACES } from './layouts/line-buckets.js';

/** The place of step 0, amid those of a bucket, and how far from it those of infinite steps are. */
export const CENTRE = PLACES / 2 - 200;
export const STRETCH = CENTRE - 10;

/** A step in places: the first has those from 0 to 1. */
export function placeOf(step: number, span: number): number {
  return CENTRE + 0.5 + (STRETCH * step) / (span + Math.abs(step));
}

/** The step at which a place begins. */
export function stepOf(place: number, span: number): number {
  const share = (place - 0.5 - CENTRE) / STRETCH;
  if (share <= -1) return -Infinity;
  return share >= 1 ? Infinity : (span * share) / (1 - Math.abs(share));
}
