/**
 * What must not compile, and which types come out: checked by `npm run check:types`, which fails where a line below
 * `@ts-expect-error` is right. Never run.
 */
import { type Dataset, type LinearModel, type NetModel, type TrainSettings, type TreesModel, train } from 'listwise';

declare const data: Dataset;

export async function models(): Promise<{ trees: TreesModel; linear: LinearModel; net: NetModel }> {
  const trees = await train({ model: 'trees', data, options: { trees: 10, leaves: 'auto', step: 'newton' } });
  const linear = await train({ model: 'svm', data });
  const net = await train({ model: 'net', data, options: { hidden: [10, 5], activation: 'relu' } });
  return { trees: trees.model, linear: linear.model, net: net.model };
}

export const settings: TrainSettings<'trees'> = { model: 'trees', data, options: { trees: 10 } };

export const wrong = [
  // @ts-expect-error a misspelt model
  train({ model: 'tree', data }),
  // @ts-expect-error a misspelt option
  train({ model: 'trees', data, options: { tree: 10 } }),
  // @ts-expect-error an option of another trainer
  train({ model: 'trees', data, options: { hidden: [10] } }),
  // @ts-expect-error a value that the option does not have
  train({ model: 'net', data, options: { activation: 'softmax' } }),
  // @ts-expect-error text where a number belongs
  train({ model: 'trees', data, options: { trees: '10' } }),
  // @ts-expect-error no data
  train({ model: 'trees' }),
  // @ts-expect-error a misspelt setting
  train({ model: 'trees', data, objectives: 'ranknet' }),
];

export async function wrongModel(): Promise<LinearModel> {
  const { model } = await train({ model: 'trees', data });
  // @ts-expect-error trees are no linear model
  return model;
}
