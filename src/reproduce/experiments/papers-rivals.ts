/** The methods that papers compare, on LETOR's folds: every choice made on validation data, intervals over queries. */
import { join } from 'node:path';
import { z } from 'zod';
import { meanInterval } from '../../analysis/significance/index.js';
import { type Fold, letorFolds, normalisations, normalise, readDataset } from '../../data/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasures } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import type { Section } from '../../report/document.js';
import { bestTrial, type Trials, trialsConfig } from '../best-trial.js';
import { testedDrawn } from '../drawn.js';
import { ALPHA, above, alike, testedWith } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedParts } from '../generated.js';
import type { Lab } from '../lab.js';

const config = z.strictObject({
  /** LETOR's collections, or else one fold of generated data. */
  sets: z.array(z.string()),
  generated: generatedConfig.optional(),
  folds: z.int(),
  normalise: z.enum(Object.keys(normalisations) as (keyof typeof normalisations)[]),
  /** On the validation data: the round of each training, and which of a method's trials is taken. */
  select: z.string(),
  measures: z.array(z.string()),
  baseline: z.string(),
  methods: z.array(trialsConfig),
  /** More methods: fold by fold that of some others which is best on the validation data. */
  chosen: z.array(z.strictObject({ name: z.string(), of: z.array(z.string()) })).optional(),
  /** What papers say of the first measure. */
  claims: z.array(
    z.strictObject({
      one: z.string(),
      other: z.string(),
      said: z.enum(['close to', 'ahead of']),
      by: z.string(),
    }),
  ),
  /** A difference that counts as none, for methods that are said to be close. */
  margin: z.number(),
  /** By collection and method, another system's mean of the folds for each measure. */
  others: z.record(z.string(), z.record(z.string(), z.array(z.number()))).optional(),
});
type Config = z.output<typeof config>;

/** A value of a measure with its interval. */
type Between = readonly [value: number, low: number, high: number];

interface Evaluated {
  readonly chosen: number;
  readonly validation: readonly number[];
  readonly iteration: number;
  /** By measure and test query; null where the measure is undefined. */
  readonly test: readonly (readonly (number | null)[])[];
}

interface Row {
  readonly name: string;
  /** By fold: the trial chosen, and its round. */
  readonly chosen: readonly (readonly [trial: number, round: number])[];
  /** By measure: the mean of the folds, and over all test queries the difference from the baseline. */
  readonly means: readonly number[];
  readonly differences: readonly Between[];
  readonly other?: readonly number[] | undefined;
}

interface Contest {
  readonly one: string;
  readonly other: string;
  readonly said: Config['claims'][number]['said'];
  readonly by: string;
  readonly margin: number;
  readonly difference: Between;
}

interface Outcome {
  readonly measures: readonly string[];
  readonly baseline: string;
  readonly sets: readonly {
    readonly set: string;
    readonly queries: number;
    readonly rows: readonly Row[];
    readonly contests: readonly Contest[];
  }[];
}

export const papersRivals = defineExperiment<Config, Outcome>({
  name: 'papers-rivals',
  title: 'the methods that papers compare, on LETOR’s small collections',
  paper: 'Xu, Li 2007; Yue et al. 2007; Cao et al. 2007 and the papers that compare with them, on OHSUMED and MQ2008',
  collections: ['ohsumed', 'mq2008'],
  config,
  async run(settings, lab) {
    const sets = settings.sets.length > 0 ? settings.sets : ['generated'];
    lab.expect(sets.length * settings.methods.length * settings.folds);
    const results: Outcome['sets'][number][] = [];
    for (const set of sets) {
      const folds = (await foldsOf(settings, set, lab)).slice(0, settings.folds);
      const found = new Map<string, readonly Evaluated[]>();
      for (const method of settings.methods) {
        const evaluated = await lab.each(folds, fold => {
          const key = `${set}, ${method.name}, fold ${fold.fold}`;
          return lab.step(key, () => trainAndEvaluate(settings, method, fold, lab));
        });
        found.set(method.name, evaluated);
      }
      for (const { name, of } of settings.chosen ?? []) found.set(name, bestOf(of.map(one => found.get(one)!)));
      results.push({ set, ...summary(settings, set, found) });
    }
    return { measures: settings.measures, baseline: settings.baseline, sets: results };
  },
  findings: ({ measures, sets }) => sets.flatMap(set => set.contests.map(one => finding(set, measures, one))),
  sections: outcome => outcome.sets.map(set => section(outcome, set)),
});

async function foldsOf({ generated, normalise: name }: Config, set: string, lab: Lab): Promise<Fold[]> {
  // The statistics are of a query's own documents, so nothing passes from one part to another.
  const rule = normalisations[name];
  if (generated !== undefined) {
    const part = generatedParts(generated, lab.seed);
    const [data, validate, test] = (['training', 'validation', 'test'] as const).map(one => normalise(part(one), rule));
    return [{ fold: 1, train: data!, validate: validate!, test: test! }];
  }
  const files = [1, 2, 3, 4, 5].map(part => readDataset(join(lab.data(set), `S${part}.txt.gz`)));
  return letorFolds((await Promise.all(files)).map(part => normalise(part, rule)));
}

async function trainAndEvaluate(
  { select, measures }: Config,
  method: Trials,
  { train: data, validate, test }: Fold,
  { seed, threads, signal }: Lab,
): Promise<Evaluated> {
  const { model, ...found } = await bestTrial(method, { data, validate, select, seed, threads, signal });
  const results = evaluate(
    test,
    scoreData(model, test),
    parseMeasures(measures.join(',')).map(({ measure }) => measure),
  );
  const values = results.map(result => Array.from(result.values, value => (Number.isNaN(value) ? null : value)));
  return { ...found, test: values };
}

/** Fold by fold the method with the best trial, of equals the first; trials are counted on from method to method. */
function bestOf(methods: readonly (readonly Evaluated[])[]): Evaluated[] {
  return methods[0]!.map((_, fold) => {
    const evaluated = methods.map(folds => folds[fold]!);
    const validation = evaluated.flatMap(one => one.validation);
    const chosen = validation.indexOf(Math.max(...validation));
    let trial = chosen;
    const best = evaluated.find(one => {
      if (trial < one.validation.length) return true;
      trial -= one.validation.length;
      return false;
    })!;
    return { ...best, chosen, validation };
  });
}

function summary(
  { measures, baseline, claims, margin, others }: Config,
  set: string,
  found: ReadonlyMap<string, readonly Evaluated[]>,
): Omit<Outcome['sets'][number], 'set'> {
  const rows = Array.from(found, ([name, folds]): Row => {
    const other = others?.[set]?.[name];
    return {
      name,
      chosen: folds.map(({ chosen, iteration }) => [chosen, iteration]),
      means: measures.map((_, m) => mean(folds.map(({ test }) => mean(defined(test[m]!))))),
      differences: measures.map((_, m) => between(differencesOf(folds, found.get(baseline)!, m))),
      ...(other && { other }),
    };
  });
  const contests = claims.map((claim): Contest => {
    const difference = between(differencesOf(found.get(claim.one)!, found.get(claim.other)!, 0));
    return { ...claim, margin, difference };
  });
  const queries = found.get(baseline)!.reduce((sum, { test }) => sum + test[0]!.length, 0);
  return { queries, rows, contests };
}

function defined(values: readonly (number | null)[]): number[] {
  return values.filter(value => value !== null);
}

/** Over the queries of all folds. */
function differencesOf(one: readonly Evaluated[], other: readonly Evaluated[], measure: number): Float64Array {
  const values = (folds: readonly Evaluated[]) => folds.flatMap(({ test }) => defined(test[measure]!));
  const theirs = values(other);
  return Float64Array.from(values(one), (value, q) => value - theirs[q]!);
}

function between(differences: Float64Array): Between {
  return [mean(differences), ...meanInterval(differences, ALPHA)];
}

function finding({ set, queries: n }: Outcome['sets'][number], measures: readonly string[], contest: Contest): Finding {
  const { one, other, said, by, margin, difference } = contest;
  const [gap, low, high] = difference;
  const tested = testedWith('queries', { n, difference: gap, interval: [low, high] });
  const isClose = said === 'close to';
  const [value, from, to] = difference.map(signed) as [string, string, string];
  return {
    claim: `${set}, ${measures[0]}: ${one} is ${said} ${other}${isClose ? ` (within ${margin})` : ''}`,
    paper: by,
    ours: `${value}, between ${from} and ${to}`,
    ...(isClose ? alike({ margin }, tested) : above(tested)),
    ...testedDrawn(`${one} less ${other}`, tested, `${set}: difference in ${measures[0]}`),
  };
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}

function section({ measures, baseline }: Outcome, { set, queries, rows }: Outcome['sets'][number]): Section {
  const others = rows.some(({ other }) => other);
  return {
    title: `${set}: ${queries} test queries`,
    blocks: [
      {
        kind: 'table',
        title: `${set}, mean of the test folds${others ? ', in brackets RankLib’s' : ''}; difference from ${baseline} with its 95 % interval`,
        columns: [
          { title: 'method' },
          ...measures.flatMap(title => [{ title }, { title: 'difference' }]),
          { title: 'trial and round, fold by fold' },
        ],
        rows: rows.map(({ name, means, differences, other, chosen }) => [
          name,
          ...measures.flatMap((_, m) => {
            const [value, low, high] = differences[m]!.map(signed) as [string, string, string];
            return [
              `${means[m]!.toFixed(4)}${other ? ` (${other[m]!.toFixed(4)})` : ''}`,
              name === baseline ? '' : `${value} (${low} to ${high})`,
            ];
          }),
          chosen.map(([trial, round]) => `${trial + 1}:${round}`).join(' '),
        ]),
      },
    ],
  };
}
