/** All steps on made-up data: generate, write, read, fit two scorers, evaluate them on queries they have not seen. */
import { join } from 'node:path';
import { type Comparison, compareSystems } from '../../analysis/compare.js';
import type { System } from '../../analysis/system.js';
import type { Dataset } from '../../data/dataset.js';
import { generateDataset } from '../../data/generators/generate.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { splitByQuery } from '../../data/split.js';
import { writeDatasets } from '../../data/writers/write.js';
import { parseMeasures } from '../../measures/parse.js';
import { loadModel, saveModel } from '../../models/model-file.js';
import { type Ranker, scoreData } from '../../models/ranker.js';
import { ridge } from '../../training/baselines/ridge.js';
import { type Trained, train } from '../../training/train.js';

export interface DemoOptions {
  queries: number;
  seed: number;
  threads?: number | undefined;
  /** Where data and models go. */
  directory: string;
  /** Called with what is being done. */
  note(text: string): void;
  /** Called when so many iterations of training are done. */
  onIteration?(done: number, total: number): void;
}

export interface DemoResult {
  readonly train: Dataset;
  readonly test: Dataset;
  readonly comparison: Comparison;
  readonly systems: readonly System[];
  /** How training of the first scorer went. */
  readonly trained: Trained;
  readonly models: readonly string[];
}

/** The system to evaluate. */
const TRAINED = { name: 'LambdaMART', file: 'trees.json' };
const SETTINGS = { model: 'trees', objective: 'lambdarank(ndcg@10)', select: 'ndcg@10', holdout: 0.2 } as const;
/** What it must beat. */
const BASELINE = { name: 'ridge regression', file: 'ridge.json' };

const MEASURES = parseMeasures('ndcg@10,ap,rr');

export async function demo({ queries, seed, threads, directory, note, onIteration }: DemoOptions): Promise<DemoResult> {
  note(`generating ${queries} queries of MSLR-shaped data`);
  const data = generateDataset('mslr', { queries, seed });
  const [trainPart, testPart] = splitByQuery(data, [0.5, 0.5], seed) as [Dataset, Dataset];
  const [trainFile, testFile] = [join(directory, 'train.txt'), join(directory, 'test.txt')];
  await writeDatasets([
    { data: trainPart, target: trainFile },
    { data: testPart, target: testFile },
  ]);
  note(`reading ${trainFile} and ${testFile}`);
  const trainData = await readDataset(trainFile);
  const test = await readDataset(testFile);
  const trained = await train({
    ...SETTINGS,
    data: trainData,
    measures: 'ap,rr',
    evaluateTraining: true,
    seed,
    threads,
    onIteration: ({ iteration }, total) => onIteration?.(iteration, total),
  });
  const fitted: { name: string; file: string; model: Ranker }[] = [
    { ...TRAINED, model: trained.model },
    { ...BASELINE, model: ridge(trainData) },
  ];
  const systems: System[] = [];
  const models: string[] = [];
  for (const { name, file, model } of fitted) {
    const path = join(directory, file);
    await saveModel(path, model);
    note(`fitted ${name} on ${trainData.queries} queries`);
    systems.push({ name, data: test, scores: scoreData(await loadModel(path), test) });
    models.push(path);
  }
  const comparison = compareSystems(systems, MEASURES, { seed });
  return { train: trainData, test, comparison, systems, trained, models };
}
