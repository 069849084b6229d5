import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { DatasetBuilder } from '#listwise/data/dataset-builder.js';
import { splitByQuery } from '#listwise/data/split.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { loadModel, saveModel } from '#listwise/models/model-file.js';
import { scoreData } from '#listwise/models/ranker.js';
import { TreesModel } from '#listwise/models/trees/trees.js';
import { type NamedSettings, trainNamed } from '#listwise/training/train.js';
import { temporaryDirectory } from '../../temporary.js';
import { treeData } from './tree-data.js';
import '../../threads-at-once.js';

let directory = '';
beforeAll(async () => {
  directory = temporaryDirectory();
});

const ndcg = parseMeasure('ndcg@10');
const [data, validate] = splitByQuery(treeData(1, { queries: 120 }), [0.7, 0.3], 1) as [Dataset, Dataset];
const base: NamedSettings = { data, validate, model: 'trees', options: { trees: 30, leaves: 8, minDocuments: 5 } };
const partsOf = ({ featureNames, blocks, offsets, queryIds, labels }: Dataset) => ({
  featureNames,
  blocks,
  offsets,
  queryIds,
  labels,
});
const ndcgOf = (model: Parameters<typeof scoreData>[0], set: Dataset) =>
  evaluate(set, scoreData(model, set), [ndcg])[0]!.mean;

describe('boosted trees', () => {
  it('weigh pairs by |change| where gains come from another label source than the pairs', async () => {
    const objective = 'lambdarank(ndcg(labels=clicks),labels=label)';
    const pairsOf = async (spec: string) =>
      (await trainNamed({ ...base, objective: spec, options: { ...base.options, trees: 3 } })).log.map(
        ({ pairs }) => pairs,
      );
    // A sum of one objective goes by another kernel.
    expect(await pairsOf(objective)).toEqual(await pairsOf(`sum(${objective})`));
  });

  it('trees that are not evaluated do not use up patience', async () => {
    const options = { ...base.options, trees: 8, patience: 2 };
    const unjudged = await trainNamed({ ...base, options: { ...options, evaluateEvery: 0 } });
    expect([unjudged.iterations, unjudged.best.iteration, unjudged.stopped]).toEqual([8, 8, 'finished']);
    const seldom = await trainNamed({ ...base, options: { ...options, evaluateEvery: 4 } });
    expect(seldom.log.filter(({ validation }) => validation.length > 0).map(({ iteration }) => iteration)[0]).toBe(4);
  });

  it('learn to rank, and the best iteration is kept', async () => {
    const { model, best, log } = await trainNamed({ ...base, seed: 1 });
    const values = log.map(record => record.validation[0]!);
    expect(best.values[0]).toBe(Math.max(...values));
    expect(best.values[0]! - values[0]!).toBeGreaterThan(0.02);
    // Training sums in float32, the model in float64: only documents that tie in one and not the other may differ.
    expect(ndcgOf(model, validate)).toBeCloseTo(best.values[0]!, 3);
    expect(ndcgOf(model, data)).toBeGreaterThan(0.8);
  });

  it.each([
    'lambdarank(ap)',
    'ranknet',
    'squared',
    'sigmoid(ndcg@3)',
    'schedule(lambdarank(ndcg),sigmoid(ndcg),from=0.25,linear=0.01)',
    'listnet',
  ])('learn from %s', async objective => {
    const { log } = await trainNamed({ ...base, objective });
    const values = log.map(record => record.validation[0]!);
    expect(Math.max(...values)).toBeGreaterThan(0.6);
  });

  it('go on from a checkpoint to the same model', async () => {
    const whole = await trainNamed({ ...base, seed: 5 });
    const checkpoint = { directory: join(directory, 'checkpoint'), everyMs: 0 };
    const stop = new AbortController();
    const part = await trainNamed({
      ...base,
      seed: 5,
      checkpoint,
      signal: stop.signal,
      onIteration: ({ iteration }) => iteration === 9 && stop.abort(),
    });
    expect(part.stopped).toBe('interrupted');
    expect(part.iterations).toBe(9);
    const resumed = await trainNamed({ ...base, seed: 5, checkpoint: { ...checkpoint, resume: true } });
    expect(resumed.model.toJSON()).toEqual(whole.model.toJSON());
    expect(resumed.log.length).toBe(whole.log.length);
    const fewer = trainNamed({
      ...base,
      seed: 5,
      options: { ...base.options, trees: 8 },
      checkpoint: { ...checkpoint, resume: true },
    });
    await expect(fewer).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  it.each<[string, Partial<ConstructorParameters<typeof Dataset>[0]>]>([
    ['labels of another source', { labels: new Map([...data.labels, ['clicks', new Float64Array(data.rows)]]) }],
    ['weights of queries', { queryWeights: new Float64Array(data.queries).fill(2) }],
    ['weights of documents', { rowWeights: new Float64Array(data.rows).fill(2) }],
    ['initial scores', { initialScores: new Float64Array(data.rows).fill(2) }],
  ])('do not go on from a checkpoint with other %s', async (name, altered) => {
    const settings = { ...base, options: { ...base.options, trees: 2 } };
    const checkpoint = { directory: join(directory, name), everyMs: 0 };
    await trainNamed({ ...settings, checkpoint });
    const other = trainNamed({
      ...settings,
      data: new Dataset({ ...data, ...altered }),
      checkpoint: { ...checkpoint, resume: true },
    });
    await expect(other).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  it('go on from a model', async () => {
    const first = await trainNamed({
      ...base,
      options: { trees: 10, leaves: 8, minDocuments: 5, patience: 0 },
      holdout: undefined,
    });
    const file = join(directory, 'first.json');
    await saveModel(file, first.model);
    const second = await trainNamed({ ...base, from: await loadModel(file) });
    const trees = (model: object) => (model as { trees: unknown[] }).trees;
    expect(trees(second.model).length).toBeGreaterThan(trees(first.model).length);
    expect(trees(second.model).slice(0, trees(first.model).length)).toEqual(trees(first.model));
    expect(second.best.values[0]).toBeGreaterThanOrEqual(first.best.values[0]!);
  });

  it('go on from a model whose features stand in another order', async () => {
    const { model } = await trainNamed({ ...base, options: { ...base.options, trees: 3 } });
    if (!(model instanceof TreesModel)) throw new Error(model.kind);
    const last = data.features - 1;
    const turned = new TreesModel({
      featureNames: [...model.featureNames].reverse(),
      trees: model.trees.map(tree => ({ ...tree, feature: tree.feature.map(f => last - f) })),
    });
    const options = { ...base.options, trees: 2, patience: 0 };
    const straight = await trainNamed({ ...base, from: model, options });
    expect((await trainNamed({ ...base, from: turned, options })).model.toJSON()).toEqual(straight.model.toJSON());
  });

  it('refuse Newton steps without hessian', async () => {
    const job = trainNamed({ ...base, objective: 'softrank(ndcg)', options: { ...base.options, step: 'newton' } });
    await expect(job).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('split by least squares with gradient steps whatever is asked for', async () => {
    const options = { ...base.options, step: 'gradient', l2: 0 };
    const [one, other] = [{}, { split: 'squares' }].map(split =>
      trainNamed({ ...base, options: { ...options, ...split } }),
    );
    const trees = async (trained = one) => (await trained!).model.toJSON().trees;
    expect(await trees(other)).toEqual(await trees());
    const newton = await trainNamed({ ...base, options: { ...options, step: 'newton', split: 'squares' } });
    expect(newton.model.toJSON().trees).not.toEqual(await trees());
    expect(newton.best.values[0]).toBeGreaterThan(0.6);
  });

  it('say so where nothing can be split', async () => {
    const notes: string[] = [];
    await trainNamed({ ...base, options: { trees: 2, minDocuments: 100_000 }, note: text => notes.push(text) });
    expect(notes.join()).toContain('no split was found');
  });

  it('read back from their file score the same', async () => {
    const { model } = await trainNamed(base);
    const file = join(directory, 'model.json');
    await saveModel(file, model);
    expect(scoreData(await loadModel(file), data)).toEqual(scoreData(model, data));
  });

  it('gain finitely much where lambdas have no hessian and nothing stands in for it', async () => {
    // Scores so far apart that hessians are nothing, in a few queries.
    const apart = Float64Array.from(data.label(), (label, row) => (row < 200 && label > 0 ? -1000 * label : 0));
    const far = new Dataset({ ...partsOf(data), initialScores: apart });
    const options = { trees: 3, l2: 0, minHessian: 0, minDocuments: 1, leaves: 40 };
    const { model } = await trainNamed({
      ...base,
      data: far,
      validate: undefined,
      holdout: 0,
      objective: 'ranknet',
      options,
    });
    expect(model.splitUse!().gain.every(Number.isFinite)).toBe(true);
  });

  it.each([
    ['weights', { queryWeights: new Float64Array(data.queries).fill(1e300) }, {}, 'lambda-invalid'],
    ['small weights', { queryWeights: new Float64Array(data.queries).fill(1e-35) }, {}, 'lambda-invalid'],
    ['a rate', {}, { rate: 1e42 }, 'training-diverged'],
  ])('%s beyond 32-bit numbers is an error', async (_, parts, options, code) => {
    const job = {
      ...base,
      data: new Dataset({ ...partsOf(data), ...parts }),
      validate: undefined,
      holdout: 0,
      options,
    };
    await expect(trainNamed(job)).rejects.toMatchObject({ code });
  });

  it.each([2 ** 30, 2 ** 31, 2 ** 32 + 1])('have no leaf of fewer than %i documents', async minDocuments => {
    const options = { trees: 1, leaves: 4, minDocuments };
    const { model } = await trainNamed({ ...base, validate: undefined, holdout: 0, options });
    expect(model.splitUse!().gain.every(gain => gain === 0)).toBe(true);
  });

  it('part missing values from all others, and are read back', async () => {
    const builder = new DatasetBuilder({ absent: 0 });
    for (let q = 0; q < 20; q++) {
      const label = Float64Array.from({ length: 10 }, (_, i) => Number(i % 3 === 0));
      const columns = Float32Array.from(label, relevant => (relevant ? Number.NaN : 3));
      const queries = [{ id: `q${q}`, rows: 10 }];
      builder.append({ rows: 10, width: 1, stride: 10, columns, labels: { label }, queries });
    }
    const gone = builder.finish();
    const { model } = await trainNamed({ ...base, data: gone, validate: undefined, holdout: 0 });
    expect(ndcgOf(model, gone)).toBe(1);
    const file = join(directory, 'missing.json');
    await saveModel(file, model);
    expect(scoreData(await loadModel(file), gone)).toEqual(scoreData(model, gone));
  });

  it('do not depend on the order of documents', async () => {
    const settings: NamedSettings = { ...base, validate: undefined, holdout: 0 };
    const one = await trainNamed({ ...settings, data: treeData(3) });
    const other = await trainNamed({ ...settings, data: treeData(3, { reversed: true }) });
    expect(other.model.toJSON()).toEqual(one.model.toJSON());
  });

  it('log how parts of the objective agree when asked', async () => {
    const { log } = await trainNamed({
      ...base,
      objective: 'graded(lambdarank(ndcg),lambdarank(cndcg,labels=clicks),w=0.3)',
      options: { ...base.options, trees: 3, diagnostics: true },
    });
    for (const { diagnostics } of log) {
      expect(diagnostics!.agreement).toBeGreaterThan(0);
      expect(diagnostics!.agreement).toBeLessThanOrEqual(1);
      expect(diagnostics!.topLabels.reduce((sum, { documents }) => sum + documents, 0)).toBeGreaterThan(data.queries);
      // Ascending, documents without a label last.
      expect(diagnostics!.topLabels.map(({ label }) => label)).toEqual([0, 1, 2, 3, 4, Number.NaN]);
      expect(diagnostics!.lambdaByLabel.every(({ parts }) => parts.length === 2)).toBe(true);
    }
    expect(log[0]!.diagnostics!.rankChanges.all).toBeGreaterThan(log[2]!.diagnostics!.rankChanges.all / 2);
  });

  it.each([
    'graded(lambdarank(ndcg),lambdarank(cndcg,labels=clicks),w=0.3)',
    'schedule(lambdarank(ndcg),sigmoid(ndcg@3),linear=0.1)',
  ])('log the parts of %s with scaled lambdas, too', async objective => {
    const options = { ...base.options, trees: 1, diagnostics: true };
    const [plain, scaled] = await Promise.all(
      [objective, `normalise(${objective})`].map(
        async spec => (await trainNamed({ ...base, objective: spec, options })).log,
      ),
    );
    const { agreement, lambdaByLabel } = scaled![0]!.diagnostics!;
    expect(lambdaByLabel.every(({ parts }) => parts.length === 2)).toBe(true);
    // Before the first tree both look at the same scores.
    expect(agreement).toBe(plain![0]!.diagnostics!.agreement);
  });

  it('log from which labels the lambda on highly relevant documents comes', async () => {
    const sourcesOf = async (objective: string) => {
      const options = { ...base.options, trees: 2, diagnostics: true };
      const { log } = await trainNamed({ ...base, objective, options });
      return log.map(({ diagnostics }) => diagnostics!.lambdaSources);
    };
    for (const sources of await sourcesOf('normalise(lambdarank(ndcg))')) {
      expect(sources.map(({ label }) => label)).toEqual([0, 1, 2, 3, 4]);
      expect(sources.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(sources[0]!.share + sources[1]!.share).toBeGreaterThan(0.5);
    }
    expect(await sourcesOf('listnet')).toEqual([[], []]);
  });
});

describe('features given up', () => {
  it('give the same model, with any number of threads, and say so when they are read', async () => {
    // So many cells that two threads start.
    const sets = () => splitByQuery(treeData(4, { queries: 700, features: 14 }), [0.8, 0.2], 1) as [Dataset, Dataset];
    const options = { trees: 3, leaves: 8 };
    const settings = (): NamedSettings => {
      const [own, other] = sets();
      return { ...base, data: own, validate: other, options };
    };
    const { model } = await trainNamed(settings());
    for (const threads of [1, 2, 3]) {
      const given = settings();
      const trained = await trainNamed({ ...given, threads, giveUpFeatures: true });
      expect(trained.model.toJSON()).toEqual(model.toJSON());
      for (const set of [given.data, given.validate!]) {
        expect(() => set.feature(0, 0)).toThrow(/data-given-up|were given up/);
        expect(set.label().length).toBe(set.rows);
      }
    }
  });

  it('are those of all data where a part is held out', async () => {
    const given = treeData(4, { queries: 60 });
    const { model } = await trainNamed({ ...base, data: given, validate: undefined, holdout: 0.3 });
    const again = await trainNamed({ ...base, data: given, validate: undefined, holdout: 0.3, giveUpFeatures: true });
    expect(again.model.toJSON()).toEqual(model.toJSON());
    expect(() => given.feature(0, 0)).toThrow(/were given up/);
  });

  it('are kept for a refit', async () => {
    const given = treeData(4, { queries: 60 });
    await trainNamed({ ...base, data: given, validate: undefined, holdout: 0.3, refit: true, giveUpFeatures: true });
    expect(given.feature(0, 0)).toBeDefined();
  });

  it('are kept where validation data has the same', async () => {
    const given = treeData(4, { queries: 60 });
    await trainNamed({ ...base, data: given, validate: given, giveUpFeatures: true });
    expect(given.feature(0, 0)).toBeDefined();
  });
});

describe('random forests', () => {
  it('keep every tree, grown apart', async () => {
    const { model, iterations } = await trainNamed({
      ...base,
      model: 'forest',
      objective: 'squared',
      options: { trees: 20, leaves: 31 },
    });
    expect(iterations).toBe(20);
    expect((model as object as { trees: unknown[] }).trees.length).toBe(20);
    expect(ndcgOf(model, validate)).toBeGreaterThan(0.6);
  });
});

describe('missing values', () => {
  it('count as zero in features that had none in training, so that engines without them take the model', async () => {
    const { model } = await trainNamed(base);
    if (!(model instanceof TreesModel)) throw new Error(model.kind);
    // Features 1, 6, 11, 16 have missing values; every threshold of this data is above zero.
    const nodes = model.trees.flatMap(tree =>
      [...tree.feature].map((f, node) => [f, tree.missingLeft[node]!] as const),
    );
    const ways = nodes.filter(([feature]) => feature % 5 !== 1).map(([, left]) => left);
    expect(new Set(ways)).toEqual(new Set([1]));
  });
});
