/** What the loop does for every trainer: interruption, going on, checkpoints. And what it asks of a learner. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Dataset } from '#listwise/data/dataset.js';
import { parseCriterion } from '#listwise/measures/criterion.js';
import type { Model } from '#listwise/models/all.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { type Ranker, scoreData } from '#listwise/models/ranker.js';
import { alone } from '#listwise/ranks/transport.js';
import { inOneStep } from '#listwise/steps.js';
import { trainerOf } from '#listwise/training/all.js';
import { CheckpointStore } from '#listwise/training/checkpoint.js';
import { EvaluatedMeasures } from '#listwise/training/evaluated-measures.js';
import type { Diverged, Learner, StepRecord } from '#listwise/training/learner.js';
import { runLoop } from '#listwise/training/loop.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { defineTrainer, type TrainContext } from '#listwise/training/trainer.js';
import { temporaryDirectory } from '../temporary.js';
import { separable } from './small-data.js';
import '../threads-at-once.js';

const data = separable(24, 15, 6);
const validate = separable(12, 15, 6, 2);
const folder = () => temporaryDirectory();
const aborted = AbortSignal.abort();

const trainers: [string, Record<string, unknown>, string][] = [
  ['trees', { leaves: 4, minDocuments: 5, patience: 0 }, 'trees'],
  ['forest', { leaves: 4 }, 'trees'],
  ['linear', { patience: 0, standardise: false }, 'epochs'],
  ['net', { patience: 0, standardise: false, hidden: [3] }, 'epochs'],
  ['adarank', { patience: 0, standardise: false }, 'rounds'],
  ['rankboost', { patience: 0 }, 'rounds'],
  ['coordinate', { patience: 0, standardise: false, tolerance: 0, restarts: 1 }, 'cycles'],
];

/** The data with its features in the opposite order. */
function reversed(set: Dataset): Dataset {
  const last = set.features - 1;
  const blocks = set.blocks.map(block => {
    const turned = block.data.slice();
    for (let f = 0; f <= last; f++) {
      turned.set(block.data.subarray(f * block.stride, (f + 1) * block.stride), (last - f) * block.stride);
    }
    return { ...block, data: turned };
  });
  return set.with({ featureNames: [...set.featureNames].reverse(), blocks });
}

/** The data with one value of one feature changed, labels and all else the same. */
function touched(set: Dataset): Dataset {
  const [first, ...others] = set.blocks;
  const values = first!.data.slice();
  values[0]! += 1;
  return set.with({ blocks: [{ ...first!, data: values }, ...others] });
}

describe.each(trainers)('%s', (model, options, iterations) => {
  const run = (more: Partial<NamedSettings>) => {
    const settings = { data, validate, model, threads: 1, ...more };
    return trainNamed({ ...settings, options: { ...options, [iterations]: 4, ...more.options } });
  };

  it('interrupted before the first iteration is one coded error, with a model to go on from or without', async () => {
    const message = 'interrupted before the first iteration was done: there is no new model';
    await expect(run({ signal: aborted })).rejects.toMatchObject({ code: 'training-interrupted', detail: message });
    const { model: from } = await run({});
    await expect(run({ signal: aborted, from })).rejects.toMatchObject({ code: 'training-interrupted' });
  });

  it('goes on from a model whose features stand in another order', async () => {
    const turned = await run({ data: reversed(data), validate: reversed(validate) });
    const from = turned.model as Model;
    const more = await run({ from });
    const keepsFrom = model !== 'forest'; // which keeps every tree
    if (keepsFrom) expect(more.best.values[0]).toBeGreaterThanOrEqual(turned.best.values[0]! - 1e-9);
    const columns = Int32Array.from(from.featureNames, name => data.featureNames.indexOf(name));
    const straight = from.withFeatures(data.featureNames, columns);
    expect(straight.featureNames).not.toEqual(from.featureNames);
    const [one, other] = [from, straight].map(ranker => scoreData(ranker, data));
    expect(Math.max(...one!.map((score, row) => Math.abs(score - other![row]!)))).toBeLessThan(1e-12);
    expect(printModel((await run({ from: straight })).model)).toBe(printModel(more.model));
  });

  it('goes on from no model with other features, nor of another kind', async () => {
    const { model: from } = await run({});
    const narrow = { data: separable(24, 15, 3), validate: separable(12, 15, 3, 2) };
    await expect(run({ ...narrow, from })).rejects.toMatchObject({ code: 'feature-mismatch' });
    const { model: other } = await trainNamed({
      data,
      model: trainerOf(model).makes === 'linear' ? 'net' : 'linear',
      options: { epochs: 1 },
    });
    await expect(run({ from: other })).rejects.toThrow(`it must be of the kind ${from.kind}`);
  });

  describe('a checkpoint', () => {
    it.each<readonly [string, Partial<NamedSettings>]>([
      ['other values of features', { data: touched(data) }],
      ['other validation data', { validate: touched(validate) }],
      ['other labels', { data: data.with({ labels: new Map([['label', data.label().map(label => 2 - label)]]) }) }],
      ['weights', { data: data.with({ queryWeights: new Float64Array(data.queries).fill(2) }) }],
      ['positions', { data: data.with({ positions: new Float64Array(data.rows).fill(1) }) }],
      ['initial scores', { data: data.with({ initialScores: new Float64Array(data.rows).fill(1) }) }],
      ['another seed', { seed: 2 }],
      ['another criterion', { select: 'ap' }],
      ...(trainerOf(model).needs === 'objective' ? [['another objective', { objective: 'listnet' }] as const] : []),
    ])('is refused with %s', async (_, other) => {
      const directory = folder();
      await run({ checkpoint: { directory } });
      const resumed = run({ ...other, checkpoint: { directory, resume: true } });
      await expect(resumed).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    });

    it('is refused with another model gone on from', async () => {
      const directory = folder();
      const [first, second] = [await run({}), await run({ data: validate, validate: data, seed: 2 })];
      await run({ from: first.model, checkpoint: { directory } });
      const resumed = run({ from: second.model, checkpoint: { directory, resume: true } });
      await expect(resumed).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    });

    it('is refused where a module has changed', async () => {
      const directory = folder();
      const file = join(directory, 'flat.mjs');
      const source = `export const flat = { name: 'flat', title: 'Flat', description: 'One.', citation: 'none', cutoff: 'none', range: [0, 1], parameters: {}, create: () => ({ value: () => 1 }) };`;
      writeFileSync(file, source);
      await run({ select: 'flat', modules: [file], checkpoint: { directory } });
      writeFileSync(file, `${source}\n// changed`);
      const resumed = run({ select: 'flat', modules: [file], checkpoint: { directory, resume: true } });
      await expect(resumed).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    });

    it('is refused where what a module imports has changed', async () => {
      const directory = folder();
      const [file, helper] = ['deep.mjs', 'helper.mjs'].map(name => join(directory, name)) as [string, string];
      const declared = `name: 'deep', title: 'Deep', description: 'One.', citation: 'none', cutoff: 'none', range: [0, 1], parameters: {}`;
      writeFileSync(
        file,
        `import { one } from './between.mjs';\nexport const deep = { ${declared}, create: () => ({ value: () => one }) };`,
      );
      writeFileSync(join(directory, 'between.mjs'), `export { one } from "./helper.mjs";`);
      writeFileSync(helper, 'export const one = 1;');
      await run({ select: 'deep', modules: [file], checkpoint: { directory } });
      await run({ select: 'deep', modules: [file], checkpoint: { directory, resume: true } });
      writeFileSync(helper, 'export const one = 0.5;');
      const resumed = run({ select: 'deep', modules: [file], checkpoint: { directory, resume: true } });
      await expect(resumed).rejects.toMatchObject({ code: 'checkpoint-invalid' });
    });

    it('takes more iterations, other patience and other threads, and no fewer iterations', async () => {
      const patience = (asked: number) => ('patience' in options ? { patience: asked } : {});
      const whole = await run({ options: { [iterations]: 6, ...patience(50) } });
      const checkpoint = { directory: folder() };
      await run({ options: patience(40), checkpoint });
      const resumed = await run({
        options: { [iterations]: 6, ...patience(50) },
        threads: 2,
        checkpoint: { ...checkpoint, resume: true },
      });
      expect(printModel(resumed.model)).toBe(printModel(whole.model));
      const values = (log: typeof whole.log) => log.map(({ seconds: _, ...rest }) => rest);
      expect(values(resumed.log)).toEqual(values(whole.log));
      const fewer = run({ options: { [iterations]: 3 }, checkpoint: { ...checkpoint, resume: true } });
      await expect(fewer).rejects.toThrow(`the checkpoint has 6 ${iterations}, more than the 3 asked for`);
    });

    it('goes on to the same model after an interruption, with a model gone on from', async () => {
      const { model: from } = await run({ seed: 7 });
      const whole = await run({ from });
      const checkpoint = { directory: folder(), everyMs: 0 };
      const stop = new AbortController();
      const part = await run({
        from,
        checkpoint,
        signal: stop.signal,
        onIteration: ({ iteration }) => iteration === 2 && stop.abort(),
      });
      expect([part.stopped, part.iterations]).toEqual(['interrupted', 2]);
      const replayed: number[] = [];
      const resumed = await run({
        from,
        checkpoint: { ...checkpoint, resume: true },
        onIteration: ({ iteration }) => replayed.push(iteration),
      });
      expect(replayed).toEqual([1, 2, 3, 4]);
      expect(printModel(resumed.model)).toBe(printModel(whole.model));
      expect(resumed.best).toEqual(whole.best);
    });
  });

  it('hands back its settings with defaults', async () => {
    const trained = await run({});
    expect(trained.options).toMatchObject({ ...options, [iterations]: 4 });
    expect(Object.keys(trained.options).length).toBeGreaterThan(Object.keys(options).length);
    expect([trained.seed, trained.threads, trained.select]).toEqual([1, 1, 'ndcg@10']);
  });
});

it('a run that goes on to more epochs restarts where a run that was never ended does', async () => {
  const options = { epochs: 4, restartAfter: 3, rate: 1e-12, optimiser: 'sgd', patience: 0, hidden: [3] };
  const run = (more: Partial<NamedSettings>) => trainNamed({ data, validate, model: 'net', options, ...more });
  const checkpoint = { directory: folder() };
  const more = { ...options, epochs: 10 };
  const whole = await run({ options: more });
  expect((await run({ checkpoint })).log.map(({ event }) => event)).not.toContain('restart');
  const resumed = await run({ options: more, checkpoint: { ...checkpoint, resume: true } });
  expect(resumed.log.map(({ event }) => event)).toEqual(whole.log.map(({ event }) => event));
  expect(whole.log[3]!.event).toBe('restart');
  expect(printModel(resumed.model)).toBe(printModel(whole.model));
});

/** A learner whose model is a weight on the first feature: as many as there have been iterations. */
class Counting implements Learner<number, number> {
  readonly keeps: 'best' | 'last';
  closed = false;
  #done = 0;
  readonly #steps: (iteration: number) => StepRecord | Diverged;
  readonly #values: readonly number[];

  constructor(keeps: 'best' | 'last', values: readonly number[], steps = (_: number): StepRecord | Diverged => plain) {
    this.keeps = keeps;
    this.#values = values;
    this.#steps = steps;
  }

  step(iteration: number) {
    return inOneStep(() => {
      this.#done = iteration;
      return this.#steps(iteration);
    });
  }
  evaluate() {
    return inOneStep(() => ({ values: [this.#values[this.#done - 1]!] }));
  }
  readonly schema = { state: () => z.int(), parts: () => z.int() };
  snapshot = () => this.#done;
  parts = () => this.#done;
  restore(done: number): void {
    this.#done = done;
  }
  model(done: number): Ranker {
    return new LinearModel({
      featureNames: data.featureNames,
      weights: data.featureNames.map((_, f) => (f ? 0 : done)),
    });
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

const plain: StepRecord = { pairs: 1, rate: 1 };

describe('a learner', () => {
  async function run(learner: Counting, options: Record<string, number> = {}, context: Partial<TrainContext> = {}) {
    const select = parseCriterion('ndcg');
    const trainer = defineTrainer({
      name: 'counting',
      title: 'Counts.',
      needs: 'none',
      makes: 'linear',
      options: z.strictObject({ rounds: z.int(), patience: z.int().default(0), evaluateEvery: z.int().default(1) }),
      ...('rounds' in options && { iterations: 'rounds' }),
      start: async () => learner,
    });
    const job = {
      data,
      validate,
      objective: undefined,
      select,
      measures: new EvaluatedMeasures(select, []),
      measure: undefined,
      evaluateTraining: false,
      portable: undefined,
      modules: [],
      options: { ...options },
      from: undefined,
    };
    const result = await runLoop(trainer, job, {
      ranks: alone,
      seed: 1,
      threads: 1,
      signal: new AbortController().signal,
      checkpoint: undefined,
      onIteration: () => {},
      note: () => {},
      ...context,
    }).finally(() => expect(learner.closed).toBe(true));
    return { ...result, weight: (result.model as LinearModel).weights[0] };
  }

  it('has its best iteration kept, or its last', async () => {
    const values = [0.1, 0.3, 0.2];
    const best = await run(new Counting('best', values), { rounds: 3 });
    expect([best.weight, best.best]).toEqual([2, { iteration: 2, values: [0.3] }]);
    const last = await run(new Counting('last', values), { rounds: 3 });
    expect([last.weight, last.best]).toEqual([3, { iteration: 3, values: [0.2] }]);
    expect(last.log.map(({ best }) => best)).toEqual([true, true, false]);
  });

  it('may end by itself, without a number of iterations, and is evaluated then', async () => {
    const steps = (iteration: number) => ({ ...plain, last: iteration === 3 });
    const ended = await run(new Counting('best', [0.1, 0.2, 0.3], steps), { evaluateEvery: 2 });
    expect([ended.iterations, ended.stopped, ended.weight]).toEqual([3, 'finished', 3]);
    expect(ended.log.map(({ validation }) => validation)).toEqual([[], [0.2], [0.3]]);
    expect(ended.log.some(record => 'last' in record)).toBe(false);
  });

  it('is stopped where it does not get better', async () => {
    const stopped = await run(new Counting('best', [0.1, 0.3, 0.2, 0.3, 0.9]), { rounds: 5, patience: 2 });
    expect([stopped.iterations, stopped.stopped, stopped.weight]).toEqual([4, 'no improvement', 2]);
  });

  it('that diverges leaves the best so far, or an error', async () => {
    const from = (first: number) => (iteration: number) => (iteration < first ? plain : { diverged: 'too fast' });
    const later = await run(new Counting('best', [0.1, 0.2], from(3)), { rounds: 5 });
    expect([later.iterations, later.stopped, later.weight]).toEqual([2, 'diverged', 2]);
    const atOnce = run(new Counting('best', [], from(1)), { rounds: 5 });
    await expect(atOnce).rejects.toMatchObject({ code: 'training-diverged', detail: 'too fast' });
  });

  it('that goes on to more iterations forgets that its last one was evaluated for being the last', async () => {
    const store = (directory: string, resume: boolean) => ({ checkpoint: new CheckpointStore(directory, { resume }) });
    const values = [0, 0.2, 0, 0.2, 0.9, 0.1, 0, 0.3];
    const directory = folder();
    const options = { evaluateEvery: 2, patience: 4 };
    const whole = await run(new Counting('best', values), { ...options, rounds: 8 });
    expect((await run(new Counting('best', values), { ...options, rounds: 5 }, store(directory, false))).weight).toBe(
      5,
    );
    const resumed = await run(new Counting('best', values), { ...options, rounds: 8 }, store(directory, true));
    expect([resumed.weight, resumed.best, resumed.stopped]).toEqual([whole.weight, whole.best, whole.stopped]);
    const logged = (log: typeof whole.log) => log.map(({ seconds: _, ...record }) => record);
    expect(logged(resumed.log)).toEqual(logged(whole.log));
  });

  it('takes away what a killed process left of a checkpoint, also where nothing is left to do', async () => {
    const directory = folder();
    const train = () =>
      run(
        new Counting('best', [0.1, 0.2]),
        { rounds: 2 },
        { checkpoint: new CheckpointStore(directory, { resume: true }) },
      );
    await train();
    writeFileSync(join(directory, 'checkpoint.json.4194305.01234567.0123456789ab.tmp'), 'half');
    await train();
    expect(readdirSync(directory)).toEqual(['checkpoint.json']);
  });

  it('writes a checkpoint that takes long the less often', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const directory = folder();
      const store = new CheckpointStore(directory, { everyMs: 1000 });
      /** Of a state that takes two seconds to write; when the one was written that is there after it. */
      const saveAt = async (ms: number): Promise<number> => {
        now = ms;
        const state = {
          ms,
          get slow() {
            now = ms + 2000;
            return true;
          },
        };
        await store.save({}, state);
        return JSON.parse(readFileSync(join(directory, 'checkpoint.json'), 'utf8')).state.ms;
      };
      // Nine times as long goes by between two.
      const times = [await saveAt(0), await saveAt(4000), await saveAt(19_999), await saveAt(20_001)];
      expect(times).toEqual([0, 0, 0, 20_001]);
    } finally {
      clock.mockRestore();
    }
  });

  it('interrupted between two evaluations stands as it is', async () => {
    const stop = new AbortController();
    const onIteration = ({ iteration }: { iteration: number }) => iteration === 3 && stop.abort();
    const learner = new Counting('best', []);
    const ended = await run(learner, { rounds: 9, evaluateEvery: 5 }, { signal: stop.signal, onIteration });
    expect([ended.iterations, ended.stopped, ended.weight]).toEqual([3, 'interrupted', 3]);
    expect(ended.best.values[0]).toBeGreaterThan(0);
  });
});
