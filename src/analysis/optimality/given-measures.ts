/** Measures as they are given, strings or made already, and what other threads make them from. */
import type { Measure } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { loadMeasures } from '../../measures/plugin.js';
import { isPortable, type Portable } from '../../objectives/portable.js';

export interface GivenMeasures {
  /** Modules of the user's measures. */
  modules?: readonly string[] | undefined;
  /** Whether the measures were parsed from strings, so that other threads can do the same. */
  parsed?: boolean | undefined;
}

/**
 * Measures that a program made itself are evaluated on the calling thread alone; those named by strings, built in or of
 * `modules`, on all.
 */
export async function measuresGiven(
  given: readonly (string | Measure)[],
  { modules = [], parsed = isPortable({ measures: given }) }: GivenMeasures,
): Promise<{ measures: Measure[]; portable: Portable | undefined }> {
  const more = await loadMeasures(modules);
  const measures = given.map(measure => (typeof measure === 'string' ? parseMeasure(measure, { more }) : measure));
  return { measures, portable: parsed ? { measures: measures.map(({ spec }) => spec), modules } : undefined };
}
