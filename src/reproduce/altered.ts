/** What altering a trained model's weights in random directions does to measures, as plain data: the tables on local optimality. */
import { z } from 'zod';
import { localOptimality, type Optimality, type Rises, type Standing } from '../analysis/optimality/index.js';
import type { Dataset } from '../data/dataset.js';
import { parseMeasure } from '../measures/parse.js';
import type { Ranker } from '../models/ranker.js';
import type { Lab } from './lab.js';

export const alterationConfig = z.strictObject({
  /** 459 or more for 99 % confidence that fewer than 1 % of all directions lead up, where none does. */
  directions: z.int(),
  /** A rise above this counts apart. */
  threshold: z.number(),
  /** Weights that are altered one at a time too. */
  singles: z.int(),
});
export type AlterationConfig = z.output<typeof alterationConfig>;

/** How many of how many alterations raised a measure, and the largest gain. */
export type RiseCount = Pick<
  Rises,
  'directions' | 'alterations' | 'directionsImproved' | 'directionsAbove' | 'improved' | 'above'
> & { readonly gain: number };

export interface Altered {
  readonly measure: string;
  /** Without alteration. */
  readonly value: number;
  readonly standing: Standing;
  readonly random: RiseCount;
  readonly single: RiseCount | undefined;
  /** With 99 % confidence (459 directions) no larger share of all directions raises the measure. */
  readonly shareAtMost: number;
  readonly steps: readonly number[];
  /** The measure at each step, along a few directions. */
  readonly curves: readonly (readonly number[])[];
}

/** One a measure. */
export async function alter(
  model: Ranker,
  data: Dataset,
  measures: readonly string[],
  { directions, threshold, singles }: AlterationConfig,
  { seed, threads }: Lab,
): Promise<Altered[]> {
  const found = await localOptimality(
    model,
    data,
    measures.map(spec => parseMeasure(spec)),
    { directions, threshold, singles, seed, threads },
  );
  return found.map((result, m) => summary(measures[m]!, result));
}

function summary(
  measure: string,
  { value, standing, random, single, shareAtMost, steps, curves }: Optimality,
): Altered {
  return {
    ...{ measure, value, standing, steps, random: riseCount(random), single: single && riseCount(single) },
    shareAtMost: shareAtMost.improved,
    curves: curves.map(({ values }) => values),
  };
}

function riseCount({ best, directions, alterations, directionsImproved, directionsAbove, ...rises }: Rises): RiseCount {
  const { improved, above } = rises;
  return { directions, alterations, directionsImproved, directionsAbove, improved, above, gain: best.gain };
}
