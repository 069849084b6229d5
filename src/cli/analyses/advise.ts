import { type Advice, adviseOn, decidingTests } from '../../analysis/advise.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { splitByQuery } from '../../data/split.js';
import { adviseDocument } from '../../report/analyses/advise.js';
import type { NamedData } from '../../report/data-origin.js';
import { readAlike, spreadRanks, threadsOfRank } from '../agreed-ranks.js';
import { usage } from '../command/option.js';
import type { AdviseLine } from '../declarations/analyses/advise.js';
import type { Output } from '../output.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';
import { readTraining } from '../settings/training.js';
import type { AnalysisResult } from './analysis.js';

export async function advise(line: AdviseLine, output: Output): Promise<AnalysisResult> {
  const { args, options } = line;
  const evaluation = (text: string) => readEvaluation({ ...options, measure: [text] }, output);
  const { measures, ties } = await evaluation(options.testMeasure);
  if (measures.length > 1) throw usage(`--test-measure takes one measure, found ${measures.length}`);
  const testMeasure = measures[0]!;
  const { measures: candidates } = await evaluation(options.candidates);
  const training = await readTraining(options, output, ['objective', 'select', 'holdout']);
  const { model, seed, options: ofTrainer } = training;
  const settings = {
    seeds: options.seeds,
    shares: [...new Set(options.shares)].sort((a, b) => a - b),
    alpha: options.alpha,
    seed,
    model,
    construction: options.construction,
  };
  const ranks = await spreadRanks(line, { ...settings, options: ofTrainer }, output);
  const parts = await readAlike(
    ranks,
    () => readParts(args.data, options, settings.seed, output),
    read => Object.values(read.sets),
  );
  const progress = output.progress('training');
  const advice = await adviseOn(ranks, {
    ...settings,
    options: ofTrainer,
    ...parts.sets,
    testMeasure,
    candidates,
    ties,
    match: matchOptions(options, output),
    threads: threadsOfRank(ranks, line),
    modules: options.load,
    onProgress: (done, detail) => progress.update(done, 1, detail),
  }).finally(() => progress.finish());
  return {
    document: adviseDocument(advice, model),
    data: parts.read,
    facts: {
      testMeasure: advice.testMeasure,
      ...settings,
      queries: { train: parts.sets.data.queries, validate: parts.sets.validate.queries, test: advice.testQueries },
    },
    results: toJson(advice),
  };
}

interface Parts {
  readonly sets: { readonly data: Dataset; readonly validate: Dataset; readonly test: Dataset };
  readonly read: readonly NamedData[];
}

/** What is not given is a fifth of the data. */
async function readParts(file: string, options: AdviseLine['options'], seed: number, output: Output): Promise<Parts> {
  const read: NamedData[] = [];
  const dataOf = async (name: string) => {
    const data = await readDataset(name, await readOptions(options, output));
    read.push({ file: name, data });
    return data;
  };
  const given = async (name: string | undefined) => (name === undefined ? undefined : dataOf(name));
  const all = await dataOf(file);
  const [validate, test] = [await given(options.validate), await given(options.test)];
  const missing = [validate, test].filter(set => set === undefined).length;
  const [data, ...split] =
    missing === 0 ? [all] : splitByQuery(all, [1 - missing / 5, ...Array(missing).fill(1 / 5)], seed);
  const sets = { data: data!, validate: validate ?? split.shift()!, test: test ?? split.shift()! };
  return { sets, read };
}

function toJson({ cells, comparisons, testMeasure }: Advice): Record<string, unknown>[] {
  return cells.map(cell => {
    const comparison = comparisons.find(({ candidate, share }) => candidate === cell.candidate && share === cell.share);
    if (comparison === undefined) return { ...cell };
    const { difference, interval, effect, wins, ties, losses, adjusted, significant, seedsAhead, tests } = comparison;
    const p = Object.fromEntries(decidingTests.map(name => [name, tests[name].p]));
    return {
      ...cell,
      against: testMeasure,
      difference,
      ci: interval,
      effect,
      wins,
      ties,
      losses,
      p,
      adjusted,
      significant,
      seedsAhead,
    };
  });
}
