/**
 * The best iteration for each of several measures out of the same trainings: "train for X, validate on Y" for every Y
 * at once. What a training does, such as lowering its rate, follows the measure that it is trained for, so choosing by
 * others changes nothing.
 */
import type { Ranker } from '../models/ranker.js';
import { type NamedSettings, trainNamed } from '../training/train.js';
import { type Grid, SEED_STEP, type Searched, type Trial } from './best-on-validation.js';

/** One a measure, in their order. Of equals the first. */
export async function bestForEach(
  { objectives, rates, starts = 1 }: Grid,
  measures: readonly string[],
  settings: Omit<NamedSettings, 'objective' | 'measures' | 'onIteration'>,
): Promise<Searched[]> {
  const best: ({ chosen: Trial; model: Ranker } | undefined)[] = measures.map(() => undefined);
  const trials: Trial[][] = measures.map(() => []);
  for (const objective of objectives) {
    for (const rate of rates) {
      for (let start = 0; start < starts; start++) {
        const seed = (settings.seed ?? 1) + SEED_STEP * start;
        const kept: ({ iteration: number; value: number; model: Ranker } | undefined)[] = measures.map(() => undefined);
        const { iterations, log } = await trainNamed({
          ...settings,
          objective,
          seed,
          measures: measures.join(','),
          options: { ...settings.options, rate },
          onIteration: ({ iteration, measures: values }, _, model) => {
            // Trees need not evaluate every iteration.
            for (const [m, spec] of values === undefined ? [] : measures.entries()) {
              const value = values![spec]!;
              if (value > (kept[m]?.value ?? Number.NEGATIVE_INFINITY)) kept[m] = { iteration, value, model: model!() };
            }
          },
        });
        for (const [m, found] of kept.entries()) {
          if (found === undefined) throw new RangeError(`${measures[m]} has no value on the validation data`);
          const { iteration, value: validation, model } = found;
          const trial: Trial = { objective, rate, seed, iterations, iteration, validation, pairs: log.at(-1)!.pairs };
          trials[m]!.push(trial);
          if (best[m] === undefined || validation > best[m].chosen.validation) best[m] = { chosen: trial, model };
        }
      }
    }
  }
  return best.map((found, m) => ({ ...found!, trials: trials[m]! }));
}
