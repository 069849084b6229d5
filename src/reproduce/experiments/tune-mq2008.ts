/** MQ2008, LETOR's five folds, trees: options chosen on the validation part, then tested beside the defaults. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type PairedResult, pairedComparison } from '../../analysis/significance/index.js';
import { type Fold, readLetor } from '../../data/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasures } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import { column, columns } from '../../report/columns.js';
import type { Cell, Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { trainNamed } from '../../training/train.js';
import { type Estimate, foldValue, overFolds } from '../../tuning/fold-values.js';
import {
  configurationOf,
  type MethodName,
  methods,
  type OptionImportance,
  optionImportance,
  parseSpace,
  type SearchSpace,
  type Trial,
  tune,
  type Values,
} from '../../tuning/index.js';
import { spaceFile } from '../../tuning/ready-spaces.js';
import { testedDrawn } from '../drawn.js';
import { above, testedWith } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import type { Lab } from '../lab.js';

const config = z.strictObject({
  folds: z.int(),
  /** A file of configs/spaces, and options that stay as they are. */
  space: z.string(),
  options: z.record(z.string(), z.unknown()),
  method: z.enum(Object.keys(methods) as MethodName[]),
  trials: z.int(),
  select: z.string(),
  /** What the test part is evaluated by; the first is the measure that the finding is about. */
  report: z.array(z.string()),
});
type Config = z.output<typeof config>;

const systems = ['defaults', 'tuned'] as const;
type BySystem<Of> = Readonly<Record<(typeof systems)[number], Of>>;

interface Searched {
  readonly fold: number;
  readonly chosen: { readonly trial: number; readonly options: Values; readonly iteration: number };
  /** The measure that selects, on the validation part. */
  readonly validation: BySystem<number>;
  readonly importance: readonly OptionImportance[];
  readonly trials: readonly Pick<Trial, 'id' | 'options' | 'value' | 'status'>[];
}

/** One measure on the test parts, each evaluated by the models of its own fold. */
interface Tested {
  readonly measure: string;
  readonly queries: number;
  readonly values: BySystem<Estimate & { readonly folds: readonly number[] }>;
  /** Tuned less defaults, paired over the queries of all folds. */
  readonly difference: Pick<PairedResult, 'difference' | 'interval' | 'wins' | 'ties' | 'losses'>;
  readonly p: number;
}

interface Outcome {
  readonly select: string;
  readonly tested: readonly Tested[];
  readonly folds: readonly Searched[];
}

/** values[measure][query] of the test part. */
interface FoldResult extends Searched {
  readonly values: BySystem<readonly (readonly number[])[]>;
}

export const tuneMq2008 = defineExperiment<Config, Outcome>({
  name: 'tune-mq2008',
  title: 'does tuning boosted trees pay on MQ2008?',
  paper: 'No paper: a search over the options of trees against the defaults, on MQ2008',
  collections: ['mq2008'],
  config,
  async run(settings, lab) {
    const file = spaceFile(settings.space);
    const space = parseSpace(readFileSync(file, 'utf8'), file);
    const fixed = { ...space, options: { ...space.options, ...settings.options } };
    const { folds } = await readLetor(lab.data('mq2008'));
    const used = folds.slice(0, settings.folds);
    lab.expect(used.length);
    const results = await lab.each(used, fold =>
      lab.step(`fold ${fold.fold}`, () => searchAndTest(fixed, settings, fold, lab)),
    );
    return {
      select: settings.select,
      tested: settings.report.map((measure, m) => tested(measure, m, results, lab.seed)),
      folds: results.map(({ values: _, ...searched }) => searched),
    };
  },
  findings: ({ tested: [first] }) => [finding(first!)],
  sections: outcome => [testSection(outcome), searchSection(outcome)],
});

async function searchAndTest(
  space: SearchSpace,
  { method, trials, select, report }: Config,
  { fold, train: data, validate, test }: Fold,
  { seed, threads, signal }: Lab,
): Promise<FoldResult> {
  const found = await tune({
    space,
    folds: [{ train: data, validate: validate! }],
    method,
    trials,
    select,
    seed,
    threads,
    signal,
  });
  const measures = parseMeasures(report.join(',')).map(({ measure }) => measure);
  const valuesWith = async (options: Values) => {
    const configuration = configurationOf(space, options);
    const { model } = await trainNamed({ ...configuration, select, data, validate, seed, threads, signal });
    return evaluate(test, scoreData(model, test), measures).map(({ values }) => [...values]);
  };
  const { best, defaults } = found;
  return {
    fold,
    chosen: { trial: best.id, options: best.options, iteration: best.iteration },
    validation: { defaults: defaults!.value, tuned: best.value },
    importance: optionImportance(space, found.trials),
    trials: found.trials.map(({ id, options, value, status }) => ({ id, options, value, status })),
    values: { defaults: await valuesWith({}), tuned: await valuesWith(best.options) },
  };
}

function tested(asked: string, m: number, results: readonly FoldResult[], seed: number): Tested {
  const [{ measure }] = parseMeasures(asked) as [ReturnType<typeof parseMeasures>[number]];
  const ofFolds = (system: keyof FoldResult['values']) =>
    results.map(({ values }) => Float64Array.from(values[system][m]!));
  const estimate = (system: keyof FoldResult['values']) => {
    const values = ofFolds(system);
    const folds = values.map(mean);
    return {
      ...overFolds(
        measure,
        values.map(own => foldValue(measure, own)),
      ),
      folds,
    };
  };
  const all = (system: keyof FoldResult['values']) => ofFolds(system).flatMap(values => [...values]);
  const { n, difference, interval, wins, ties, losses, tests } = pairedComparison(all('tuned'), all('defaults'), {
    seed,
  });
  return {
    measure: asked,
    queries: n,
    p: tests.randomisation.p,
    values: { defaults: estimate('defaults'), tuned: estimate('tuned') },
    difference: { difference, interval, wins, ties, losses },
  };
}

const range = ([low, high]: readonly [number, number], style: 'value' | 'difference') =>
  `${written(low, style)} to ${written(high, style)}`;

function finding({ measure, queries, values, difference: { difference, interval }, p }: Tested): Finding {
  const tested = testedWith('queries', { n: queries, difference, interval, p });
  return {
    claim: `${measure}: tuned options beat the defaults on test queries`,
    paper: `defaults ${values.defaults.mean.toFixed(4)}`,
    ours: `tuned ${values.tuned.mean.toFixed(4)}; difference over ${count(queries)} queries ${written(difference, 'difference')} (${range(interval, 'difference')})`,
    ...above(tested),
    ...testedDrawn('tuned options less defaults', tested, `difference in ${measure}`),
  };
}

function testSection({ select, tested: measures, folds }: Outcome): Section {
  const first = measures[0]!;
  const onValidation = (system: (typeof systems)[number]) => {
    const values = folds.map(({ validation }) => validation[system]);
    return [`validation, ${system}: ${select}`, mean(values), '', ...values];
  };
  const onTest = (system: (typeof systems)[number]) => {
    const { mean: value, interval, folds: values } = first.values[system];
    return [`test, ${system}: ${first.measure}`, value, range(interval, 'value'), ...values];
  };
  const rows: Cell[][] = [...systems.map(onValidation), ...systems.map(onTest)];
  return {
    title: 'Does it pay?',
    lead: 'Differences are paired over the test queries; p is of the randomisation test.',
    blocks: [
      {
        kind: 'table',
        title: 'Mean of the folds, and fold by fold',
        columns: [
          column('data, options: measure'),
          column('mean', 'value'),
          column('95 % interval'),
          ...folds.map(({ fold }) => ({ title: `fold ${fold}`, style: 'value' as const })),
        ],
        rows,
      },
      {
        kind: 'table',
        title: 'On the test queries, tuned less defaults',
        columns: [
          column('measure'),
          ...columns('value', 'defaults', 'tuned'),
          column('difference', 'difference'),
          column('95 % interval'),
          ...columns('count', 'better', 'equal', 'worse'),
          column('p', 'p'),
        ],
        rows: measures.map(({ measure, values, difference: { difference, interval, wins, ties, losses }, p }) => [
          measure,
          values.defaults.mean,
          values.tuned.mean,
          difference,
          range(interval, 'difference'),
          wins,
          ties,
          losses,
          p,
        ]),
      },
    ],
  };
}

function searchSection({ folds }: Outcome): Section {
  const options = folds[0]!.importance.map(({ option }) => option).sort();
  const chosen = ({ chosen: { trial, options: values } }: Searched): Cell[] =>
    trial === 0 ? options.map(() => 'default') : options.map(option => String(values[option] ?? 'default'));
  return {
    title: 'What was chosen',
    blocks: [
      {
        kind: 'table',
        title: 'Chosen on the validation part',
        columns: [
          column('fold', 'count'),
          column('trial'),
          ...options.map(title => ({ title })),
          column('trees', 'count'),
        ],
        rows: folds.map(fold => [
          fold.fold,
          fold.chosen.trial === 0 ? 'the defaults' : String(fold.chosen.trial),
          ...chosen(fold),
          fold.chosen.iteration,
        ]),
      },
    ],
  };
}
