/** Training once more on all queries, to the iteration that was found: for every trainer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selectQueries } from '#listwise/data/split.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { trainers } from '#listwise/training/all.js';
import { type NamedSettings, trainNamed as train } from '#listwise/training/train.js';
import { temporaryDirectory } from '../temporary.js';
import { cubic, separable } from './small-data.js';

const data = separable(24, 10, 4);
const short: Readonly<Record<string, NamedSettings['options']>> = {
  trees: { trees: 12 },
  linear: { epochs: 12 },
  net: { epochs: 12 },
  forest: { trees: 6 },
  coordinate: { cycles: 4, restarts: 0, global: 'never' },
};
const settings = (model: string): NamedSettings => ({
  data,
  model,
  options: short[model] ?? { rounds: 12 },
  threads: 1,
});

/** What the model scores by. */
function partsOf(model: Ranker): object {
  const { training: _, checksum: __, ...parts } = model.toJSON();
  return parts;
}

/** The model after an iteration of a run on all queries. */
async function after(iteration: number, given: NamedSettings): Promise<Ranker> {
  let found: Ranker | undefined;
  await train({
    ...given,
    holdout: 0,
    onIteration(record, _, model) {
      if (record.iteration === iteration) found = model!();
    },
  });
  return found!;
}

describe.each(Object.keys(trainers))('%s', model => {
  it('is trained on every query to the iteration found', async () => {
    const given = settings(model);
    const selected = await train(given);
    const trained = await train({ ...given, refit: true });
    expect(trained.best).toEqual(selected.best);
    expect(trained.log.map(({ validation }) => validation)).toEqual(selected.log.map(({ validation }) => validation));
    expect(selected.refitted).toBeUndefined();
    const { iteration, queries } = trained.refitted!;
    expect(queries).toBe(24);
    if (trained.keeps === 'best') expect(iteration).toBeLessThanOrEqual(trained.best.iteration);
    expect(partsOf(trained.model)).toEqual(partsOf(await after(iteration, given)));
    expect(partsOf(trained.model)).not.toEqual(partsOf(selected.model));
  });

  it('goes on where it was interrupted while refitting', async () => {
    const directory = join(temporaryDirectory(), model);
    const given = { ...settings(model), refit: true, checkpoint: { directory, everyMs: 0 } };
    const whole = await train({ ...given, checkpoint: undefined });
    const stop = new AbortController();
    const notes: string[] = [];
    const broken = await train({
      ...given,
      signal: stop.signal,
      onRefit: () => stop.abort(),
      note: text => notes.push(text),
    });
    if (whole.refitted!.iteration > 1) {
      expect(broken.stopped).toBe('interrupted');
      expect(broken.refitted).toBeUndefined();
      expect(notes.join()).toContain('interrupted while refitting: the model is the one selected, and is not refitted');
    }
    const resumed = await train({ ...given, checkpoint: { directory, resume: true } });
    expect(resumed.refitted).toEqual(whole.refitted);
    expect(resumed.model.toJSON()).toEqual(whole.model.toJSON());
  });
});

it('rates and restarts come when they came in the run that selected', async () => {
  const options = { epochs: 14, patience: 0, restartAfter: 2, rateFactor: 0.5, rate: 0.05 };
  const rates: number[] = [];
  const events: (string | undefined)[] = [];
  const { log, best } = await train({
    data: cubic(30, 3, 12, 5),
    model: 'net',
    options,
    refit: true,
    onRefit({ rate, event }) {
      rates.push(rate);
      events.push(event);
    },
  });
  const same = log.slice(0, best.iteration);
  expect(rates).toEqual(same.map(({ rate }) => rate));
  expect(events.slice(0, -1)).toEqual(same.slice(0, -1).map(({ event }) => event));
  expect(new Set(rates).size).toBeGreaterThan(1);
});

describe('validation data', () => {
  const queries = [...data.queryIds.keys()];
  const [ours, theirs] = [selectQueries(data, queries.slice(0, 16)), selectQueries(data, queries.slice(16))];

  it('is trained on, too', async () => {
    const given = { ...settings('trees'), data: ours, validate: theirs };
    const trained = await train({ ...given, refit: true });
    expect(trained.refitted).toEqual({ iteration: trained.best.iteration, queries: 24 });
    const { validate: _, ...rest } = given;
    expect(partsOf(trained.model)).toEqual(partsOf(await after(trained.best.iteration, { ...rest, data })));
  });

  it('must have queries of its own', async () => {
    const refitting = train({ ...settings('linear'), data: ours, validate: ours, refit: true });
    await expect(refitting).rejects.toMatchObject({ code: 'query-duplicate' });
  });
});

it('is refused where nothing is held out', async () => {
  const refitting = train({ ...settings('linear'), holdout: 0, refit: true });
  await expect(refitting).rejects.toThrow('nothing is held out');
});

it('leaves a model that nothing was better than', async () => {
  const from = (await train({ ...settings('linear'), holdout: 0, options: { epochs: 60, patience: 0 } })).model;
  const notes: string[] = [];
  const given = { ...settings('linear'), from, options: { epochs: 1, rate: 50 }, refit: true };
  const trained = await train({ ...given, note: text => notes.push(text) });
  expect(trained.best.iteration).toBe(0);
  expect(trained.refitted).toBeUndefined();
  expect(notes.join()).toContain('no iteration is better than the model to go on from');
});

it('keeps its checkpoint beside that of the run that selected', async () => {
  const directory = join(temporaryDirectory(), 'kept');
  const { best } = await train({ ...settings('trees'), refit: true, checkpoint: { directory } });
  expect(existsSync(join(directory, 'checkpoint.json'))).toBe(true);
  expect(existsSync(join(directory, `refit-${best.iteration}`, 'checkpoint.json'))).toBe(true);
});
