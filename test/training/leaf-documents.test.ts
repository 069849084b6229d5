/** Trees remember how many training documents came to each leaf. */
import { describe, expect, it } from 'vitest';
import { parseModel, printModel } from '#listwise/models/model-file.js';
import { leafOf, type Tree, TreesModel } from '#listwise/models/trees/trees.js';
import { train } from '#listwise/training/train.js';
import { cubic } from './small-data.js';

const data = cubic(20, 1, 12, 5);

function counted(tree: Tree): number[] {
  const counts = tree.value.map(() => 0);
  for (let row = 0; row < data.rows; row++) {
    const features = Array.from({ length: data.features }, (_, f) => data.column(f)[row]!);
    counts[leafOf(tree, features)]!++;
  }
  return [...counts];
}

describe.each(['trees', 'rankboost'] as const)('%s', kind => {
  it('has the documents of each leaf, in its file too', async () => {
    const options = kind === 'trees' ? { trees: 4, leaves: 5, minDocuments: 3 } : { rounds: 4 };
    const { model } = await train({ model: kind, data, validate: data, options });
    expect(model.trees.length).toBeGreaterThan(0);
    for (const tree of model.trees) expect([...tree.leafDocuments!]).toEqual(counted(tree));
    const read = parseModel(printModel(model), 'model.json');
    if (!(read instanceof TreesModel)) throw new Error(read.kind);
    expect(read.trees).toEqual(model.trees);
  });
});
