import { describe, expect, it } from 'vitest';
import { configOf, keptResult, keptTable } from '../../experiments/lib/experiment.mjs';
import { dataAbsent, run, table } from '../../experiments/trees-on-letor/run.mjs';

const url = new URL('../../experiments/trees-on-letor/run.mjs', import.meta.url).href;

interface Method {
  name: string;
  test: Record<string, number>;
  folds: { fold: number; best: number; test: Record<string, number> }[];
}
interface Result {
  sets: { set: string; methods: Method[] }[];
}

describe.skipIf(dataAbsent)(
  `trees on LETOR, tiny${dataAbsent ? ' (skipped: ../shared/data/ohsumed or mq2008 is absent)' : ''}`,
  () => {
    it('gives the same result each time, better than documents in random order', async () => {
      const config = configOf(url, 'tiny');
      const result: Result = (await run({ config, seed: 1 }))!;
      expect(await run({ config, seed: 1 })).toEqual(result);
      const [{ set, methods }] = result.sets as [Result['sets'][number]];
      expect([set, methods.length, methods[0]!.folds.length]).toEqual(['mq2008', 1, 1]);
      expect(methods[0]!.test['ndcg@10']).toBeGreaterThan(0.4);
    });
  },
);

describe('what the README says of the result kept', () => {
  const { sets }: Result = keptResult(url);

  it('the table is of the result', () => {
    expect(keptTable(url)).toBe(table(keptResult(url)));
  });

  it('trees with defaults are not below XGBoost with pairs, on either collection, by either measure', () => {
    for (const { methods } of sets) {
      const ours = methods.find(({ name }) => name === 'trees, defaults')!;
      const theirs = methods.find(({ name }) => name === 'XGBoost rank:pairwise, 31 leaves')!;
      for (const measure of ['ndcg@10', 'map']) expect(ours.test[measure]).toBeGreaterThan(theirs.test[measure]!);
    }
  });
});
