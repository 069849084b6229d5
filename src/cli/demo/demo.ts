/** The whole way on made-up data: generate, write, read, fit two scorers, judge them on queries they have not seen. */
import { join } from 'node:path';
import { type Comparison, compareSystems } from '../../analysis/compare.js';
import type { Dataset } from '../../data/dataset.js';
import { generateDataset } from '../../data/generators/generate.js';
import { readDataset } from '../../data/read.js';
import { splitByQuery } from '../../data/split.js';
import { writeDatasets } from '../../data/write.js';
import { parseMeasures } from '../../measures/parse.js';
import { loadModel, saveModel } from '../../models/model-file.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { bestFeature } from '../../training/baselines/best-feature.js';
import { ridge } from '../../training/baselines/ridge.js';

export interface DemoOptions {
  queries: number;
  seed: number;
  /** Where data and models go. */
  directory: string;
  /** Told what is being done. */
  note(text: string): void;
}

export interface DemoResult {
  readonly train: Dataset;
  readonly test: Dataset;
  readonly comparison: Comparison;
  readonly models: readonly string[];
}

const MEASURES = 'ndcg@10,ap,rr';

/** A scorer of the demonstration: how it is called and how it is made from training data. */
interface Scorer {
  readonly file: string;
  fit(train: Dataset): { name: string; model: Ranker };
}

const measures = parseMeasures(MEASURES);

/** The system to judge, then the baseline it must beat. */
const scorers: readonly Scorer[] = [
  { file: 'ridge.json', fit: train => ({ name: 'ridge regression', model: ridge(train) }) },
  {
    file: 'feature.json',
    fit(train) {
      const { model, feature } = bestFeature(train, measures[0]!.measure);
      return { name: `feature ${feature} alone`, model };
    },
  },
];

export async function demo({ queries, seed, directory, note }: DemoOptions): Promise<DemoResult> {
  note(`generating ${queries} queries of MSLR-shaped data`);
  const data = generateDataset('mslr', { queries, seed });
  const [trainPart, testPart] = splitByQuery(data, [0.5, 0.5], seed) as [Dataset, Dataset];
  const [trainFile, testFile] = [join(directory, 'train.txt'), join(directory, 'test.txt')];
  await writeDatasets([
    { data: trainPart, target: trainFile },
    { data: testPart, target: testFile },
  ]);
  note(`reading ${trainFile} and ${testFile}`);
  const train = await readDataset(trainFile);
  const test = await readDataset(testFile);
  const systems = [];
  const models: string[] = [];
  for (const scorer of scorers) {
    const path = join(directory, scorer.file);
    const { name, model } = scorer.fit(train);
    note(`fitted ${name} on ${train.queries} queries`);
    await saveModel(path, model);
    systems.push({ name, data: test, scores: scoreData(await loadModel(path), test) });
    models.push(path);
  }
  return { train, test, comparison: compareSystems(systems, measures, { seed }), models };
}
