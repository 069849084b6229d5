/** The JavaScript module scores to the bit as the model does, and its types are right. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exportModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { Random } from '#listwise/numeric/random.js';
import { randomEnsemble } from '../models/random-trees.js';
import { temporaryDirectory } from '../temporary.js';
import { documents, wholeEnsemble } from './ensembles.js';

const folder = temporaryDirectory();

interface Module {
  featureNames: readonly string[];
  score(features: ArrayLike<number>): number;
  scoreNamed(document: Record<string, number>): number;
}

async function load(model: Ranker, name: string): Promise<Module> {
  const { files, losses, notes } = exportModel(model, { to: 'javascript', target: join(folder, name) });
  expect([losses, notes]).toEqual([[], []]);
  for (const { path, content } of files) writeFileSync(path, content);
  expect(files.map(({ path }) => path)).toEqual([join(folder, name), join(folder, name.replace('.mjs', '.d.mts'))]);
  return (await import(pathToFileURL(join(folder, name)).href)) as Module;
}

const shape = { features: 4, leaves: [31, 1, 6], grid: 30, skew: 0.2 } as const;
const random = new Random(1, 'models');
const models: Record<string, Ranker> = {
  trees: randomEnsemble(1, shape),
  'trees with 32-bit sums': randomEnsemble(1, { ...shape, sums: 'float32' }),
  'trees whose zeros are missing': wholeEnsemble(2, { ...shape, zeroMissing: 0.4 }),
  linear: new LinearModel({
    featureNames: ['1', '2', '3', '4'],
    weights: [0.1, -2, 1 / 3, 0],
    bias: 0.7,
    standardise: { mean: [1, 2, 3, 4], scale: [2, 0.3, 1, 1] },
    missing: [0.5, 2, -1, 0],
  }),
  net: new NetModel({
    featureNames: ['1', '2', '3', '4'],
    hidden: [3, 2],
    activation: 'tanh',
    parameters: Array.from({ length: 15 + 8 + 3 }, () => random.gaussian()),
    standardise: { mean: [1, 2, 3, 4], scale: [2, 0.3, 1, 1] },
  }),
};

describe.each(Object.entries(models))('%s', (name, model) => {
  it('score to the bit as here', async () => {
    const module = await load(model, `${name.replaceAll(' ', '-')}.mjs`);
    expect(module.featureNames).toEqual(model.featureNames);
    const source = model instanceof TreesModel ? model : wholeEnsemble(1, shape);
    const rows = documents(1, 2000, source);
    const scores = rows.map(row => model.scoreRow(row));
    expect(rows.map(row => module.score(row))).toEqual(scores);
    const first = rows.slice(0, 50);
    const asObject = (row: Float32Array) =>
      Object.fromEntries(model.featureNames.flatMap((key, f) => (Number.isNaN(row[f]!) ? [] : [[key, row[f]!]])));
    expect(first.map(row => module.scoreNamed(asObject(row)))).toEqual(scores.slice(0, 50));
  });
});

it('has types that fit', async () => {
  await load(models.linear!, 'typed.mjs');
  const user = join(folder, 'user.mts');
  writeFileSync(
    user,
    `import { type FeatureName, featureNames, score, scoreNamed } from './typed.mjs';
const first: '1' = featureNames[0];
const one: number = score([1, 2, 3, 4]) + scoreNamed({ '1': 2 });
// @ts-expect-error no such feature
scoreNamed({ five: 5 });
// @ts-expect-error no such feature
const name: FeatureName = 'five';
export default [first, one, name];
`,
  );
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', user];
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...args], { encoding: 'utf8', cwd: folder });
  expect([stdout, status]).toEqual(['', 0]);
});
