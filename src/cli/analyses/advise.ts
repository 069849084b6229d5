import { type Advice, adviceVerdict, advise, decidingTests } from '../../analysis/advise.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { splitByQuery } from '../../data/split.js';
import { written } from '../../report/numbers.js';
import type { Section } from '../../report/page.js';
import type { CommandOption, OptionValues } from '../command.js';
import { refuseStdinTwice, usage } from '../contradictions.js';
import { dataOptions, matchOptions, readOptions, wholeNumber } from '../data-options.js';
import { measureOptions, readJudging } from '../measure-options.js';
import { finiteNumber, numberList } from '../number-options.js';
import type { Output } from '../output.js';
import type { NamedData } from '../report-option.js';
import { count, fixed, pValue, signed, table } from '../table.js';
import type { AnalysisDefinition } from './analysis.js';
import { readTraining, trainingOptions, validateOption } from './training-options.js';

const DEFAULT_CANDIDATES = 'ndcg,ndcg@10,ap';

const adviseOptions: readonly CommandOption[] = [
  { flags: '--test-measure <spec>', description: 'the measure that counts in the end' },
  {
    flags: '--candidates <specs>',
    description: 'measures to train for, separated by commas, beside the test measure',
    default: DEFAULT_CANDIDATES,
  },
  { flags: '--seeds <n>', description: 'trainings of each candidate and share', default: '3' },
  { flags: '--shares <list>', description: 'shares of the training queries', default: '1' },
  ...trainingOptions,
  { flags: '--construction <name>', description: 'the objective made of each candidate', default: 'lambdarank' },
  validateOption,
  { flags: '--test <data>', description: 'data to compare on (default: a fifth of DATA)' },
  { flags: '--alpha <level>', description: 'level of significance', default: '0.05' },
];

export const adviseAnalysis: AnalysisDefinition = {
  name: 'advise',
  summary: 'which measure to train for when another one counts: trains each candidate on this data and compares',
  arguments: [{ name: '<data>', description: 'labelled data' }],
  options: [...adviseOptions, ...measureOptions.filter(({ flags }) => !flags.startsWith('-m,')), ...dataOptions],
  examples: [
    'listwise analyse advise data.txt --test-measure p@10',
    'listwise analyse advise data.txt --test-measure p@10 --candidates ap,ndcg --shares 0.1,0.3,1 --seeds 5 --model net',
  ],
  async run([file], options, output) {
    const asked = options.testMeasure as string | undefined;
    if (asked === undefined) throw usage('say what counts in the end: --test-measure p@10');
    refuseStdinTwice([file, options.validate as string | undefined, options.test as string | undefined]);
    const judging = (text: string) => readJudging({ ...options, measure: [text] }, output);
    const { measures, ties } = await judging(asked);
    if (measures.length > 1) throw usage(`--test-measure takes one measure, found ${measures.length}`);
    const testMeasure = measures[0]!;
    const { measures: candidates } = await judging(options.candidates as string);
    const training = await readTraining(options, output, ['objective', 'select', 'holdout']);
    const { model, seed, options: ofTrainer } = training;
    const settings = {
      seeds: wholeNumber(options, 'seeds', 1)!,
      shares: readShares(options),
      alpha: finiteNumber(options, 'alpha', { above: 0, below: 1 })!,
      seed,
      model,
      construction: options.construction as string,
    };
    const parts = await readParts(file!, options, settings.seed, output);
    const progress = output.progress('training');
    const advice = await advise({
      ...settings,
      options: ofTrainer,
      ...parts.sets,
      testMeasure,
      candidates,
      ties,
      match: matchOptions(options, output),
      threads: wholeNumber(options, 'threads', 1),
      modules: (options.load as string[] | undefined) ?? [],
      onProgress: (done, detail) => progress.update(done, 1, detail),
    }).finally(() => progress.finish());
    const verdict = adviceVerdict(advice);
    return {
      verdict,
      facts: {
        testMeasure: advice.testMeasure,
        ...settings,
        queries: { train: parts.sets.data.queries, validate: parts.sets.validate.queries, test: advice.testQueries },
      },
      results: toJson(advice),
      text: () => printText(advice, model),
      page: { title: 'What to train for', data: parts.read, sections: () => sections(advice) },
    };
  },
};

function readShares(options: OptionValues): number[] {
  const shares = numberList(options, 'shares', { above: 0 })!;
  const over = shares.find(share => share > 1);
  if (over === undefined) return [...new Set(shares)].sort((a, b) => a - b);
  throw usage(`--shares are of the training queries, each at most 1, found ${over}`);
}

interface Parts {
  readonly sets: { readonly data: Dataset; readonly validate: Dataset; readonly test: Dataset };
  readonly read: readonly NamedData[];
}

/** What is not given is a fifth of the data. */
async function readParts(file: string, options: OptionValues, seed: number, output: Output): Promise<Parts> {
  const read: NamedData[] = [];
  const dataOf = async (name: string) => {
    const data = await readDataset(name, readOptions(options, output));
    read.push({ file: name, data });
    return data;
  };
  const given = async (key: 'validate' | 'test') =>
    options[key] === undefined ? undefined : dataOf(options[key] as string);
  const all = await dataOf(file);
  const [validate, test] = [await given('validate'), await given('test')];
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

function printText(advice: Advice, model: string): string {
  const right = (title: string) => ({ title, align: 'right' as const });
  const { testMeasure, alpha, comparisons, cells, seeds } = advice;
  const level = `${Number((100 * (1 - alpha)).toFixed(6))} % interval`;
  return [
    table(
      [
        right('queries'),
        { title: 'trained for' },
        right(testMeasure),
        right('difference'),
        right(level),
        right('w/t/l'),
        ...decidingTests.map(name => right(`p ${name}`)),
        { title: 'significant' },
        right('seeds ahead'),
      ],
      cells.map(({ candidate, share, queries, mean }) => {
        const found = comparisons.find(comparison => comparison.candidate === candidate && comparison.share === share);
        const start = [count(queries), candidate, fixed(mean)];
        if (found === undefined) return [...start, ...Array(8).fill('')];
        return [
          ...start,
          signed(found.difference),
          `${signed(found.interval[0])} to ${signed(found.interval[1])}`,
          `${found.wins}/${found.ties}/${found.losses}`,
          ...decidingTests.map(name => pValue(found.adjusted[name])),
          found.significant ? 'yes' : 'no',
          `${found.seedsAhead} of ${seeds}`,
        ];
      }),
    ),
    `Kind of model: ${model}. Differences are from training for ${testMeasure}, over ${count(advice.testQueries)} test queries, each averaged over ${count(seeds)} ${seeds === 1 ? 'seed' : 'seeds'}; the best iteration is selected by ${testMeasure} on validation queries. p-values adjusted by Holm for the candidates; significant: all three below ${alpha}.`,
  ].join('\n\n');
}

function sections(advice: Advice): Section[] {
  const { testMeasure, candidates, cells, comparisons, shares, seeds } = advice;
  const several = shares.length > 1;
  const nothing = Array.from({ length: 4 + decidingTests.length }, () => Number.NaN);
  return [
    {
      title: `${testMeasure} by what was trained for`,
      lead: `Each model is judged by ${testMeasure}; the difference is from training for ${testMeasure} itself.`,
      blocks: [
        {
          kind: 'table',
          title: 'Candidates',
          columns: [
            { title: 'training queries', style: 'count' as const },
            { title: 'trained for' },
            { title: testMeasure, style: 'value' as const },
            { title: 'difference', style: 'difference' as const },
            ...['wins', 'ties', 'losses'].map(title => ({ title, style: 'count' as const })),
            ...decidingTests.map(name => ({ title: `p ${name}`, style: 'p' as const })),
            { title: 'significant' },
            { title: 'seeds ahead' },
          ],
          rows: cells.map(({ candidate, share, queries, mean }) => {
            const found = comparisons.find(other => other.candidate === candidate && other.share === share);
            // The test measure itself has nothing to differ from.
            if (found === undefined) return [queries, candidate, mean, ...nothing, '', ''];
            return [
              queries,
              candidate,
              mean,
              { value: found.difference, note: found.interval.map(end => written(end, 'difference')).join(' to ') },
              found.wins,
              found.ties,
              found.losses,
              ...decidingTests.map(name => found.adjusted[name]),
              found.significant ? 'yes' : 'no',
              `${found.seedsAhead} of ${seeds}`,
            ];
          }),
        },
        several
          ? {
              kind: 'lines',
              title: `${testMeasure} by training queries`,
              x: { label: 'training queries', style: 'count' },
              y: { label: testMeasure, style: 'value' },
              series: candidates.map(name => {
                const own = cells.filter(({ candidate }) => candidate === name);
                return {
                  name: `trained for ${name}`,
                  x: own.map(({ queries }) => queries),
                  y: own.map(({ mean }) => mean),
                };
              }),
            }
          : {
              kind: 'intervals',
              title: `Difference from training for ${testMeasure}`,
              x: { label: `difference in ${testMeasure}`, style: 'difference' },
              reference: 0,
              dots: comparisons.map(({ candidate, difference, interval }) => ({
                label: candidate,
                series: 'difference',
                value: difference,
                low: interval[0],
                high: interval[1],
              })),
            },
      ],
    },
  ];
}
