/** The recipe in docs/adding-a-trainer.md is a trainer. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { printModel } from '#listwise/models/model-file.js';
import type { NamedSettings } from '#listwise/training/train.js';
import { settleSettings, trainSettled } from '#listwise/training/train-settled.js';
import type { Trainer } from '#listwise/training/trainer.js';
import { temporaryDirectory } from '../temporary.js';
import { separable } from './small-data.js';

const page = readFileSync(new URL('../../docs/adding-a-trainer.md', import.meta.url), 'utf8');
const data = separable(24, 15, 6);

let walk: Trainer;
beforeAll(async () => {
  const { code } = await transform(/```ts\n(.*?)```/s.exec(page)![1]!, { loader: 'ts' });
  const built = new URL('../../dist/training/', import.meta.url);
  const placed = code.replace(
    /from "(\.[^"]*|zod)"/g,
    (_, path: string) => `from "${path === 'zod' ? import.meta.resolve('zod') : new URL(path, built).href}"`,
  );
  const file = join(temporaryDirectory(), 'walk.mjs');
  writeFileSync(file, placed);
  ({ walk } = await import(pathToFileURL(file).href));
});

/** As `train` does, with a trainer that is not in the list of all. */
function run(options: Record<string, unknown>, more: Partial<NamedSettings> = {}) {
  const { trainer: _, ...settings } = settleSettings({ data, model: 'linear', holdout: 0.25, ...more, options: {} });
  const all = { ...settings, objective: undefined, trainer: walk, options: walk.options.parse(options) };
  return trainSettled(all);
}

it('learns, and keeps the best step', async () => {
  const trained = await run({ steps: 60 });
  expect(trained.log).toHaveLength(60);
  expect(trained.best.values[0]).toBe(Math.max(...trained.log.map(({ validation }) => validation[0]!)));
  expect(trained.best.values[0]).toBeGreaterThan(trained.log[0]!.validation[0]! + 0.05);
});

it('stops early, goes on from a model, and resumes to the same bytes', async () => {
  expect((await run({ steps: 500, patience: 5 })).stopped).toBe('no improvement');
  const whole = await run({ steps: 20 });
  const checkpoint = { directory: temporaryDirectory() };
  await run({ steps: 8 }, { checkpoint });
  const resumed = await run({ steps: 20 }, { checkpoint: { ...checkpoint, resume: true } });
  expect(printModel(resumed.model)).toBe(printModel(whole.model));
  const more = await run({ steps: 5, stride: 1e-9 }, { from: whole.model });
  expect(more.best.values[0]).toBeGreaterThanOrEqual(whole.best.values[0]!);
});
