import { describe, expect, it } from 'vitest';
import { configOf, keptResult, keptTable } from '../../experiments/lib/experiment.mjs';
import { dataAbsent, run, table } from '../../experiments/qin-2010-ohsumed/run.mjs';

const url = new URL('../../experiments/qin-2010-ohsumed/run.mjs', import.meta.url).href;
const skipped = 'ndcg(discount=letor,empty=skip)';
const zero = 'ndcg(discount=letor,empty=0)';

interface Chosen {
  objective: string;
  rate: number;
  epoch: number;
  validation: number;
}
interface Method {
  name: string;
  paper?: number;
  test: Record<string, number>;
  folds: { fold: number; queries: number; chosen: Chosen; test: Record<string, number>; trials: Chosen[] }[];
}
const tiny = async (): Promise<Method[]> => (await run({ config: configOf(url, 'tiny'), seed: 1 }))!.methods;

describe.skipIf(dataAbsent)(
  `OHSUMED experiment, tiny${dataAbsent ? ' (skipped: ../shared/data/ohsumed is absent)' : ''}`,
  () => {
    it('gives the same result each time, chosen on validation alone', async () => {
      const methods = await tiny();
      expect(await tiny()).toEqual(methods);
      expect(methods.map(({ name }) => name)).toEqual(['ApproxNDCG', 'RankNet']);
      for (const { test, folds } of methods) {
        expect(folds.map(({ fold, queries }) => ({ fold, queries }))).toEqual([
          { fold: 1, queries: 22 },
          { fold: 2, queries: 21 },
        ]);
        for (const { chosen, trials } of folds) {
          expect(chosen.validation).toBe(Math.max(...trials.map(trial => trial.validation)));
          expect(trials).toContainEqual(expect.objectContaining(chosen));
        }
        for (const measure of [skipped, zero]) {
          expect(test[measure]).toBeCloseTo((folds[0]!.test[measure]! + folds[1]!.test[measure]!) / 2, 12);
        }
        // One query of the second test fold has no relevant document.
        expect(folds[0]!.test[zero]).toBe(folds[0]!.test[skipped]);
        expect(folds[1]!.test[zero]! * 21).toBeCloseTo(folds[1]!.test[skipped]! * 20, 9);
      }
    });
  },
);

describe('OHSUMED experiment, the result kept', () => {
  const kept = keptResult(url);
  const methods = kept.methods as Method[];

  it('is what the README shows', () => {
    expect(keptTable(url)).toBe(table(kept));
  });

  it('reaches the figures of the paper', () => {
    const compared = methods.filter(({ paper }) => paper !== undefined);
    expect(compared.map(({ name }) => name)).toEqual(['ApproxNDCG', 'ApproxAP', 'SoftRank']);
    for (const { test, paper } of compared) expect(test[skipped]).toBeGreaterThanOrEqual(paper!);
  });
});
