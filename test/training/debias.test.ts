/** Clicks of known examination: what is learned of it, by every model, and that runs go on with it. */
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import type { LearnedTable } from '#listwise/objectives/learning.js';
import { trainPage } from '#listwise/report/commands/train.js';
import { train, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import '../threads-at-once.js';

const made = (queries: number, skip: number, eta = 1) =>
  generateDataset('net', { queries, documents: 10, features: 4, seed: 5, skip, clicks: `positions(eta=${eta})` });

const data = made(2000, 0);
const test = made(700, 2000);

const options = {
  trees: { trees: 40, leaves: 15 },
  linear: { epochs: 30 },
  net: { epochs: 30, hidden: [8] },
};
type Kind = keyof typeof options;
/** An epoch does more for a model than a tree does: what is learned beside it may follow faster. */
const joint = {
  trees: 'debias(logistic(labels=clicks),positions=joint)',
  linear: 'debias(logistic(labels=clicks),positions=joint,rate=0.5)',
  net: 'debias(ranknet(labels=clicks),positions=joint,rate=0.5)',
};

const run = (model: Kind, objective: string, more: object = {}) =>
  trainNamed({ model, data, validate: test, objective, options: options[model], threads: 1, ...more });

const clicked = 'ranknet(labels=clicks)';

const runs = new Map<Kind, ReturnType<typeof run>>();
/** On clicks as they are. */
function naively(model: Kind) {
  const before = runs.get(model);
  if (before !== undefined) return before;
  const first = run(model, clicked);
  runs.set(model, first);
  return first;
}

function examination([table]: readonly LearnedTable[] = []): readonly number[] {
  return table!.columns.find(({ name }) => name === table!.drawn)!.values;
}

/** Mean distance to what clicks were made with. */
function error(values: readonly number[], eta = 1): number {
  return values.reduce((sum, value, k) => sum + Math.abs(value - (k + 1) ** -eta), 0) / values.length;
}

describe.each(['trees', 'linear', 'net'] as const)('%s', model => {
  it.each([
    `debias(${clicked})`,
    `debias(${clicked},positions=additive)`,
    `debias(${clicked},positions=ratios)`,
    joint[model],
  ])('recovers the examination of positions: %s', async objective => {
    const naive = await naively(model);
    const { learned, best, log } = await run(model, objective);
    expect(learned![0]!.at).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // All as examined as the first would be 0.7 off.
    expect(error(examination(learned))).toBeLessThan(0.08);
    expect(best.values[0]!).toBeGreaterThan(naive.best.values[0]! + 0.01);
    const facts = log.at(-1)!.facts!;
    expect(Object.keys(facts)).toEqual([2, 3, 5, 10].map(k => `examination at position ${k}`));
  });

  it('is better with chances that are given, and learns none then', async () => {
    const naive = await naively(model);
    const { learned, best } = await run(model, `debias(${clicked},positions=power)`);
    expect(best.values[0]!).toBeGreaterThan(naive.best.values[0]! + 0.01);
    expect(learned).toBeUndefined();
  });
});

it('closes most of the gap to training on grades', async () => {
  const [grades, naive, debiased] = [
    await run('trees', 'ranknet'),
    await naively('trees'),
    await run('trees', `debias(${clicked})`),
  ];
  const value = (trained: typeof grades) => trained.best.values[0]!;
  expect((value(debiased) - value(naive)) / (value(grades) - value(naive))).toBeGreaterThan(0.6);
});

it.each([
  [0.5, 'additive'],
  [2, 'additive'],
  [0.5, 'examined'],
  [2, 'examined'],
])('recovers the examination (1/k)^%d: %s', async (eta, form) => {
  const { learned } = await train({
    model: 'trees',
    data: made(2000, 0, eta),
    validate: test,
    objective: `debias(${clicked},positions=${form})`,
    options: options.trees,
    threads: 1,
  });
  expect(error(examination(learned), eta)).toBeLessThan(0.06);
});

describe('what is learned', () => {
  const small = made(800, 0).with({ queryWeights: Float64Array.from({ length: 800 }, (_, q) => 1 + (q % 3)) });
  const objective =
    'sum(debias(lambdarank(ndcg,labels=clicks)),debias(ranknet(labels=clicks),positions=additive),debias(ranknet(labels=clicks),positions=ratios),debias(logistic(labels=clicks),positions=joint))';

  it.each([
    ['trees', { trees: 12, leaves: 7 }],
    ['net', { epochs: 6, hidden: [100], batch: 100 }],
  ] as const)('is the same for any number of threads: %s', async (model, own) => {
    // Enough for several threads to be started.
    const wide = generateDataset('cubic', {
      queries: 1500,
      documents: 10,
      features: 20,
      seed: 2,
      clicks: 'positions',
    });
    const runs = [];
    for (const threads of [1, 3]) {
      runs.push(await trainNamed({ model, data: wide, objective, select: 'ndcg', options: own, threads, seed: 3 }));
    }
    expect(runs[0]!.learned).toEqual(runs[1]!.learned);
    expect(JSON.stringify(runs[0]!.model)).toBe(JSON.stringify(runs[1]!.model));
    expect(runs[0]!.learned).toHaveLength(4);
  });

  it.each([
    ['trees', 'trees', { leaves: 7 }],
    ['linear', 'epochs', {}],
  ] as const)('is kept in checkpoints: %s', async (model, key, own) => {
    const directory = temporaryDirectory();
    const go = (iterations: number, checkpoint?: { directory: string; resume?: boolean }) =>
      trainNamed({
        model,
        data: small,
        holdout: 0,
        objective,
        options: { ...own, [key]: iterations },
        threads: 1,
        checkpoint: checkpoint && { ...checkpoint, everyMs: 0 },
      });
    const whole = await go(10);
    await go(4, { directory });
    const resumed = await go(10, { directory, resume: true });
    expect(JSON.stringify(resumed.model)).toBe(JSON.stringify(whole.model));
    expect(resumed.learned).toEqual(whole.learned);
    const facts = (trained: typeof whole) => trained.log.map(record => record.facts);
    expect(facts(resumed)).toEqual(facts(whole));
  });

  it('does not depend on diagnostics', async () => {
    const [plain, watched] = await Promise.all(
      [false, true].map(diagnostics =>
        train({ model: 'trees', data: small, objective, options: { trees: 8, leaves: 7, diagnostics }, threads: 1 }),
      ),
    );
    expect(watched!.learned).toEqual(plain!.learned);
  });

  it('is a table and pictures of the page', async () => {
    const trained = await train({ model: 'trees', data: small, objective, options: { trees: 5 }, threads: 1 });
    const origin = { command: 'test', options: {}, version: '0', data: [], seed: 1 };
    const sections = trainPage({ trained, origin }).sections.filter(({ title }) => title === 'Position bias');
    expect(sections).toHaveLength(4);
    expect(sections[0]!.blocks.map(({ kind }) => kind)).toEqual(['lines', 'lines', 'table']);
  });

  it('needs positions, which is said before anything is trained', async () => {
    const without = small.with({ positions: undefined });
    const training = train({ model: 'linear', data: without, objective: 'debias(ranknet)', threads: 1 });
    await expect(training).rejects.toThrow('debias needs the positions at which documents were shown');
  });

  it('needs clicks to learn from', async () => {
    const labels = new Map([...small.labels, ['clicks', new Float64Array(small.rows)]]);
    const unclicked = small.with({ labels });
    const objective = 'debias(logistic(labels=clicks))';
    const training = train({ model: 'linear', data: unclicked, objective, options: { epochs: 1 }, threads: 1 });
    await expect(training).rejects.toMatchObject({ code: 'training-without-lambda' });
  });

  it('uses positions, so that nothing is said of unused ones', async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    for (const spec of ['ranknet', 'normalise(debias(ranknet))']) {
      await train({ model: 'linear', data: small, objective: spec, options: { epochs: 1 }, threads: 1, note });
    }
    expect(notes.filter(text => text.includes('positions, which are not used'))).toHaveLength(1);
  });
});
