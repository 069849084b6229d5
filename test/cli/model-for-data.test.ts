/** A model given where data is asked for is said to be one, whatever its format and the command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { modelForData } from '#listwise/cli/model-for-data.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { exportModel } from '#listwise/interop/convert.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { randomEnsemble } from '../models/random-trees.js';
import { temporaryDirectory } from '../temporary.js';
import { run } from './run.js';

const directory = temporaryDirectory();
const trees = randomEnsemble(1, { features: 3, leaves: [4, 8], grid: 10, skew: 0 });
const linear = new LinearModel({ featureNames: ['1', '2'], weights: [1, 0.1] });

it.each([
  ...(['listwise', 'lightgbm', 'xgboost', 'xgboost-dump', 'ranklib', 'onnx'] as const).map(to => [to, trees] as const),
  ...(['ranklib', 'linear'] as const).map(to => [to, linear] as const),
])('%s', async (to, model) => {
  for (const extension of ['json', 'txt']) {
    const file = join(directory, `${to}.${extension}`);
    writeFileSync(file, exportModel(model, { to }).files[0]!.content);
    const error = await readDataset(file).then(
      () => undefined,
      (reason: unknown) => modelForData(reason),
    );
    expect(error).toMatchObject({
      code: 'data-format',
      message: `${file}: it is a model (${to}), where data or another file of values is asked for`,
      place: { file },
    });
  }
});

it('says nothing of data that is wrong', async () => {
  const file = join(directory, 'data.txt');
  writeFileSync(file, '1 qid:1 1:0\nx qid:1 1:0\n');
  const error = await readDataset(file).catch((reason: unknown) => reason);
  expect(await modelForData(error)).toBe(error);
});

it('is what the command line says', async () => {
  const recorded = fileURLToPath(new URL('../interop/recorded/lightgbm-dart.txt', import.meta.url));
  const { code, stderr } = await run(['evaluate', '--scores', recorded, 'short.txt', '-m', 'ndcg']);
  expect([code, stderr]).toEqual([
    2,
    `listwise: ${recorded}: it is a model (lightgbm), where data or another file of values is asked for [data-format]\n`,
  ]);
});

it.each([
  [
    ['evaluate', 'test.txt', 'linear.json'],
    '"linear.json" is a model and "test.txt" is none. The order is listwise evaluate MODEL DATA: listwise evaluate linear.json test.txt',
  ],
  [['score', 'test.txt', 'linear.json'], 'The order is listwise score MODEL DATA: listwise score linear.json test.txt'],
  [
    ['convert', 'new.txt', 'linear.json', '--to', 'lightgbm'],
    'The order is listwise convert MODEL OUT: listwise convert linear.json new.txt',
  ],
  [
    ['analyse', 'importance', 'test.txt', 'trees.json'],
    'The order is listwise analyse importance MODEL DATA: listwise analyse importance trees.json test.txt',
  ],
  [
    ['compare', 'linear.json', '--system', 'a=test.txt', '--system', 'b=trees.json'],
    '"linear.json" is a model, where data is asked for: write listwise compare DATA --system NAME=linear.json',
  ],
])('swapped arguments are called swapped: %j', async (args, message) => {
  const { code, stderr } = await run([...args, '--quiet']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${message} [usage]`);
});

it('arguments are not called swapped where something else is wrong', async () => {
  const { stderr } = await run(['evaluate', 'none.json', 'linear.json', '--quiet']);
  expect(stderr).toBe('listwise: none.json: no such file or directory [file-not-found]\n');
});
