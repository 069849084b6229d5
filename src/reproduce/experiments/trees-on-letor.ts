/** Trees with default options on LETOR's five folds, beside other models and, where it is installed, XGBoost. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { meanInterval } from '../../analysis/significance/index.js';
import { type Fold, letorFolds, readDataset, writeDataset } from '../../data/index.js';
import { makeTemporaryFolder, removeFolder } from '../../io/temporary-folder.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasures } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import type { IntervalsChart } from '../../report/charts.js';
import { column } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { trainNamed } from '../../training/train.js';
import { testedDrawn } from '../drawn.js';
import { ALPHA, alike, testedOver } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { experimentFile } from '../files.js';
import type { Lab } from '../lab.js';
import { pythonWith } from '../python.js';

const NAME = 'trees-on-letor';

const config = z.strictObject({
  sets: z.array(z.string()),
  folds: z.int(),
  measures: z.array(z.string()),
  /** The claim is that the first of `claim` is not below the second. */
  claim: z.tuple([z.string(), z.string()]).optional(),
  methods: z.array(
    z.union([
      z.strictObject({
        name: z.string(),
        model: z.string(),
        objective: z.string().optional(),
        options: z.record(z.string(), z.unknown()).optional(),
      }),
      z.strictObject({ name: z.string(), xgboost: z.string(), leaves: z.int() }),
    ]),
  ),
});
type Config = z.output<typeof config>;
type Ours = Extract<Config['methods'][number], { model: string }>;
type Theirs = Extract<Config['methods'][number], { xgboost: string }>;

interface Evaluated {
  readonly fold: number;
  /** Trees or epochs of the model chosen. */
  readonly best: number;
  /** One a measure. */
  readonly test: readonly number[];
}

interface Outcome {
  readonly measures: readonly string[];
  readonly claim?: readonly [string, string] | undefined;
  readonly sets: readonly { readonly set: string; readonly methods: readonly Method[] }[];
}

interface Method {
  readonly name: string;
  readonly folds: readonly Evaluated[];
}

export const treesOnLetor = defineExperiment<Config, Outcome>({
  name: NAME,
  title: 'trees on LETOR’s small collections, beside XGBoost',
  paper: 'No paper: default options against another system, on OHSUMED and MQ2008',
  collections: ['ohsumed', 'mq2008'],
  config,
  async run(settings, lab) {
    const absent = settings.methods.some(method => 'xgboost' in method) && pythonWith('xgboost') === undefined;
    const methods = settings.methods.filter(method => !absent || !('xgboost' in method));
    lab.expect(settings.sets.length * methods.length * settings.folds);
    const sets: Outcome['sets'][number][] = [];
    for (const set of settings.sets) {
      const parts = [1, 2, 3, 4, 5].map(part => readDataset(join(lab.data(set), `S${part}.txt.gz`)));
      const folds = letorFolds(await Promise.all(parts)).slice(0, settings.folds);
      const evaluated: Method[] = [];
      for (const method of methods) {
        const results = await lab.each(folds, fold => {
          const key = `${set}, ${method.name}, fold ${fold.fold}`;
          return lab.step(key, () => trainAndEvaluate(settings.measures, method, fold, lab));
        });
        evaluated.push({ name: method.name, folds: results });
      }
      sets.push({ set, methods: evaluated });
    }
    return { measures: settings.measures, claim: settings.claim, sets };
  },
  findings,
  sections: outcome => [meansSection(outcome), ...differencesSections(outcome)],
});

async function trainAndEvaluate(
  specs: readonly string[],
  method: Ours | Theirs,
  fold: Fold,
  lab: Lab,
): Promise<Evaluated> {
  const { scores, best } =
    'model' in method ? await runOurs(method, fold, lab) : await runXgboost(method, fold, lab.seed);
  const measures = parseMeasures(specs.join(',')).map(({ measure }) => measure);
  return { fold: fold.fold, best, test: evaluate(fold.test, scores, measures).map(result => result.mean) };
}

async function runOurs({ model, objective, options }: Ours, fold: Fold, { seed, threads, signal }: Lab) {
  const { train: data, validate, test } = fold;
  const trained = await trainNamed({ data, validate, model, objective, options, seed, threads, signal });
  return { scores: scoreData(trained.model, test), best: trained.best.iteration };
}

async function runXgboost({ xgboost, leaves }: Theirs, fold: Fold, seed: number) {
  const folder = makeTemporaryFolder();
  try {
    const files = Object.fromEntries(['train', 'validate', 'test', 'scores'].map(part => [part, join(folder, part)]));
    for (const part of ['train', 'validate', 'test'] as const) {
      await writeDataset(fold[part]!, files[part]!, { format: 'svmlight' });
    }
    const job = { objective: xgboost, leaves, seed, ...files };
    const script = experimentFile(NAME, 'xgboost-early-stopping.py');
    const { best } = JSON.parse(
      execFileSync(pythonWith('xgboost')!, [script, JSON.stringify(job)], { encoding: 'utf8' }),
    );
    return { scores: Float64Array.from(readFileSync(files.scores!, 'utf8').trim().split('\n'), Number), best };
  } finally {
    removeFolder(folder);
  }
}

function means({ folds }: Method): number[] {
  return folds[0]!.test.map((_, m) => mean(folds.map(({ test }) => test[m]!)));
}

/** For each collection and measure, where both systems of the claim were run. */
function findings({ measures, claim, sets }: Outcome): Finding[] {
  return sets.flatMap(({ set, methods }) => {
    const [ours, theirs] = (claim ?? []).map(name => methods.find(method => method.name === name));
    if (ours === undefined || theirs === undefined) return [];
    return measures.map((measure, m) => {
      const tested = testedOver(
        'folds',
        ours.folds.map(({ test }, f) => test[m]! - theirs.folds[f]!.test[m]!),
      );
      return {
        claim: `${set}, ${measure}: ${ours.name} are not below ${theirs.name}`,
        paper: means(theirs)[m]!.toFixed(4),
        ours: means(ours)[m]!.toFixed(4),
        ...alike({ higherToo: false }, tested),
        ...testedDrawn(measure, tested, `${set}: ${ours.name} less ${theirs.name}`, 'difference'),
      };
    });
  });
}

function meansSection({ measures, sets }: Outcome): Section {
  const names = sets[0]!.methods.map(({ name }) => name);
  return {
    title: 'Mean of the test folds',
    blocks: [
      {
        kind: 'table',
        title: 'Mean of the test folds',
        columns: [
          column('model'),
          ...sets.flatMap(({ set }) =>
            measures.map(measure => ({ title: `${set} ${measure}`, style: 'value' as const })),
          ),
          column('best iteration, fold by fold'),
        ],
        rows: names.map((name, n) => [
          name,
          ...sets.flatMap(({ methods }) => means(methods[n]!)),
          sets.map(({ methods }) => methods[n]!.folds.map(({ best }) => best).join(' ')).join('; '),
        ]),
      },
    ],
  };
}

/** How far the others are from the first, the same folds beside each other: folds differ much more than models do. */
function differencesSections({ measures, sets }: Outcome): Section[] {
  const [base, ...others] = sets[0]!.methods.map(({ name }) => name);
  const chart = ({ set, methods }: Outcome['sets'][number]): IntervalsChart => ({
    kind: 'intervals',
    title: `${set}: difference from ${base}`,
    note: 'Mean over the folds, with its 95 % interval by Student’s t.',
    x: { label: 'difference', style: 'difference' },
    reference: 0,
    dots: others.flatMap((label, n) =>
      measures.map((series, m) => ({ label, series, ...difference(methods[n + 1]!, methods[0]!, m) })),
    ),
  });
  return others.length > 0 ? [{ title: `Beside ${base}`, blocks: sets.map(chart) }] : [];
}

function difference(method: Method, base: Method, measure: number) {
  const differences = method.folds.map(({ test }, fold) => test[measure]! - base.folds[fold]!.test[measure]!);
  const [low, high] = meanInterval(Float64Array.from(differences), ALPHA);
  return { value: mean(differences), low, high };
}
