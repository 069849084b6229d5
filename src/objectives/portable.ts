/** Objective and measures on their way to another thread, which makes them again from strings and modules. */
import { parseMeasure } from '../measures/parse.js';
import { loadMeasures } from '../measures/plugin.js';
import { type ObjectiveLibrary, parseObjective } from './parse.js';
import { loadLibrary } from './plugin.js';

export interface Portable {
  readonly objective?: string | undefined;
  readonly measures: readonly string[];
  readonly modules: readonly string[];
}

/** As a program gives them: strings, or objects of its own. */
export interface GivenSpecs {
  readonly objective?: string | object | undefined;
  readonly select?: string | object | undefined;
  readonly measures?: string | readonly (string | object)[] | undefined;
  readonly library?: ObjectiveLibrary | undefined;
}

/** Whether strings say all: what a program made itself runs on the calling thread alone. */
export function isPortable({ objective, select, measures = [], library }: GivenSpecs): boolean {
  const given = [objective ?? '', select ?? '', ...(typeof measures === 'string' ? [] : measures)];
  return (
    given.every(spec => typeof spec === 'string') &&
    library?.measures === undefined &&
    library?.objectives === undefined
  );
}

export async function fromStrings({ objective, measures, modules }: Portable) {
  const library: ObjectiveLibrary =
    objective === undefined ? { measures: await loadMeasures(modules) } : await loadLibrary(modules);
  return {
    objective: objective === undefined ? undefined : parseObjective(objective, library),
    measures: measures.map(spec => parseMeasure(spec, { more: library.measures! })),
  };
}
