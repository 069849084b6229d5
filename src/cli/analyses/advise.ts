import { type Advice, adviceVerdict, advise as adviseOn, decidingTests } from '../../analysis/advise.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { splitByQuery } from '../../data/split.js';
import { written } from '../../report/numbers.js';
import type { Section } from '../../report/page.js';
import { usage } from '../command/option.js';
import type { AdviseLine } from '../declarations/analyses/advise.js';
import type { Output } from '../output.js';
import type { NamedData } from '../report-option.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readJudging } from '../settings/judging.js';
import { readTraining } from '../settings/training.js';
import { count, fixed, pValue, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

export async function advise({ args, options }: AdviseLine, output: Output): Promise<AnalysisResult> {
  const judging = (text: string) => readJudging({ ...options, measure: [text] }, output);
  const { measures, ties } = await judging(options.testMeasure);
  if (measures.length > 1) throw usage(`--test-measure takes one measure, found ${measures.length}`);
  const testMeasure = measures[0]!;
  const { measures: candidates } = await judging(options.candidates);
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
  const parts = await readParts(args.data, options, settings.seed, output);
  const progress = output.progress('training');
  const advice = await adviseOn({
    ...settings,
    options: ofTrainer,
    ...parts.sets,
    testMeasure,
    candidates,
    ties,
    match: matchOptions(options, output),
    threads: options.threads,
    modules: options.load,
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
}

interface Parts {
  readonly sets: { readonly data: Dataset; readonly validate: Dataset; readonly test: Dataset };
  readonly read: readonly NamedData[];
}

/** What is not given is a fifth of the data. */
async function readParts(file: string, options: AdviseLine['options'], seed: number, output: Output): Promise<Parts> {
  const read: NamedData[] = [];
  const dataOf = async (name: string) => {
    const data = await readDataset(name, readOptions(options, output));
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

function printText(advice: Advice, model: string): string {
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
