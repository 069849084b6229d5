import { describe, expect, it } from 'vitest';
import { configOf, keptResult, keptTable } from '../../experiments/lib/experiment.mjs';
import { dataAbsent, run, table } from '../../experiments/tune-mq2008/run.mjs';

const url = new URL('../../experiments/tune-mq2008/run.mjs', import.meta.url).href;

interface Fold {
  chosen: { trial: number };
  validation: { defaults: number; tuned: number };
  trials: { id: number; value: number }[];
}
interface Result {
  select: string;
  test: Record<'defaults' | 'tuned', { measure: string; value: number; interval: number[]; folds: number[] }[]> & {
    queries: number;
  };
  difference: { measure: string; difference: number }[];
  folds: Fold[];
}

describe.skipIf(dataAbsent)(
  `MQ2008 experiment, tiny${dataAbsent ? ' (skipped: ../shared/data/mq2008 is absent)' : ''}`,
  () => {
    it('gives the same result each time, chosen on validation alone', async () => {
      const tiny = async (): Promise<Result> => (await run({ config: configOf(url, 'tiny'), seed: 1 }))!;
      const result = await tiny();
      expect(await tiny()).toEqual(result);
      const [{ chosen, validation, trials }] = result.folds as [Fold];
      expect(trials).toHaveLength(3);
      const best = Math.max(validation.defaults, ...trials.map(({ value }) => value));
      expect(validation.tuned).toBe(best);
      expect(chosen.trial).toBe(trials.find(({ value }) => value === best)?.id ?? 0);
      expect(result.test.queries).toBe(156);
    });
  },
);

describe('MQ2008 experiment, the result kept', () => {
  const kept = keptResult(url) as Result & Record<string, unknown>;

  it('is what the README shows', () => {
    expect(keptTable(url)).toBe(table(kept));
  });

  it('has 40 trials a fold, whose best beat the defaults on validation data', () => {
    expect(kept.folds).toHaveLength(5);
    for (const { trials, validation } of kept.folds) {
      expect(trials).toHaveLength(40);
      expect(validation.tuned).toBe(Math.max(validation.defaults, ...trials.map(({ value }) => value)));
    }
    const mean = (name: 'defaults' | 'tuned') =>
      kept.folds.reduce((sum, { validation }) => sum + validation[name], 0) / 5;
    expect(mean('tuned')).toBeGreaterThan(mean('defaults'));
  });

  it('says of the test data what it is, over all queries', () => {
    expect(kept.test.queries).toBe(784);
    const figure = (name: 'defaults' | 'tuned') => kept.test[name].find(({ measure }) => measure === kept.select)!;
    for (const name of ['defaults', 'tuned'] as const) {
      const { value, interval, folds } = figure(name);
      expect(value).toBeCloseTo(folds.reduce((sum, fold) => sum + fold, 0) / 5, 12);
      expect(interval[0]).toBeLessThan(value);
      expect(interval[1]).toBeGreaterThan(value);
    }
    // Over queries instead of over folds, which are of nearly equal size.
    const { difference } = kept.difference.find(({ measure }) => measure === kept.select)!;
    expect(difference).toBeCloseTo(figure('tuned').value - figure('defaults').value, 3);
  });
});
