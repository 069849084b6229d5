/** Compares systems on the same queries, with significance tests. */
import {
  type ComparedPair,
  type Comparison,
  type Correction,
  compareSteps,
  corrections,
} from '../../analysis/compare.js';
import type { TestName } from '../../analysis/significance/paired.js';
import { ListwiseError, quote } from '../../errors.js';
import { comparePage } from '../../report/compare-page.js';
import { inTurns } from '../../steps.js';
import type { CommandDefinition } from '../command.js';
import { dataOptions, wholeNumber } from '../data-options.js';
import { emptyWords, type Judging, measureOptions, readJudging } from '../measure-options.js';
import { originOf, reportOption, reportTarget, writePage } from '../report-option.js';
import { readSystems, systemFiles, systemOptions } from '../systems.js';
import { count, fixed, pValue, signed, table } from '../table.js';

export const compare: CommandDefinition = {
  name: 'compare',
  summary: 'Compare systems on the same queries: means, differences, significance.',
  arguments: [{ name: '[data]', description: 'labelled data; left out with --qrels' }],
  options: [
    ...systemOptions,
    { flags: '--baseline <name>', description: 'compare every system with this one (default: all pairs)' },
    { flags: '--alpha <level>', description: 'level of significance and of the confidence intervals', default: '0.05' },
    {
      flags: '--correction <how>',
      description: 'adjust p-values for the number of pairs under a measure',
      default: 'holm',
      choices: corrections,
    },
    {
      flags: '--agree',
      description:
        'significant only where t, Wilcoxon and sign test all say so (default: the randomisation test decides)',
    },
    ...measureOptions,
    { flags: '--out <file>', description: 'write the result to this file' },
    reportOption,
    ...dataOptions,
  ],
  examples: [
    'listwise compare --qrels qrels.txt --system bm25=bm25.run --system ours=ours.run -m ndcg@10,ap --baseline bm25',
    'listwise compare test.txt --system linear=linear.json --system trees=scores.txt --agree',
  ],
  async run(args, options, output) {
    const files = systemFiles(args, options, 2);
    const alpha = Number(options.alpha);
    if (!(alpha > 0 && alpha < 1)) {
      throw new ListwiseError(
        'option-invalid',
        `--alpha is a number above 0 and below 1, found ${quote(String(options.alpha))}`,
      );
    }
    const report = await reportTarget(options);
    const judging = await readJudging(options, output);
    const { systems, judged } = await readSystems(args, files, options, output);
    const steps = compareSteps(systems, judging.measures, {
      baseline: options.baseline as string | undefined,
      alpha,
      correction: options.correction as Correction,
      agree: options.agree === true,
      ties: judging.ties,
      seed: wholeNumber(options, 'seed', 0),
    });
    const comparison = await inTurns(steps, output.shares('comparing'));
    if (report !== undefined) {
      const origin = originOf(options, [judged]);
      const curves = { ...judging, onProgress: output.shares('drawing') };
      await writePage(report, comparePage({ systems, comparison, curves, origin }), output);
    }
    await output.resultTo(options.out as string | undefined, 'compare', toJson(judging, comparison), () =>
      printText(judging, comparison),
    );
  },
};

function toJson({ measures, preset, ties }: Judging, comparison: Comparison) {
  const { systems, pairs, deciding, alpha, correction } = comparison;
  return {
    systems: systems.map(({ name, means }) => ({ name, means })),
    pairs: pairs.map(pairJson),
    measures: measures.map(({ asked, measure }, m) => ({
      measure: asked,
      canonical: measure.spec,
      empty: Math.max(...systems.map(({ results }) => results[m]!.empty)),
      emptyCounts: measure.empty,
    })),
    deciding,
    alpha,
    correction,
    preset,
    ties,
  };
}

/** A compared pair as JSON shows it. */
export function pairJson(pair: ComparedPair) {
  return {
    measure: pair.measure,
    a: pair.a,
    b: pair.b,
    difference: pair.difference,
    ci: pair.interval,
    effect: pair.effect,
    queries: pair.n,
    wins: pair.wins,
    ties: pair.ties,
    losses: pair.losses,
    p: pair.p,
    adjusted: pair.adjusted,
    significant: pair.significant,
    notes: pair.notes,
  };
}

/** Compared pairs as people read them. */
export function pairsTable({ pairs, alpha }: Comparison): string {
  const level = `${Number((100 * (1 - alpha)).toFixed(6))} % interval`;
  const names: readonly TestName[] = ['t', 'wilcoxon', 'sign', 'randomisation'];
  const right = (title: string) => ({ title, align: 'right' as const });
  return table(
    [
      { title: 'measure' },
      { title: 'a - b' },
      right('difference'),
      right(level),
      right('effect'),
      right('wins/ties/losses'),
      ...names.map(name => right(`p ${name}`)),
      { title: 'significant' },
    ],
    pairs.map(pair => [
      pair.measure,
      `${pair.a} - ${pair.b}`,
      signed(pair.difference),
      `${signed(pair.interval[0])} to ${signed(pair.interval[1])}`,
      Number.isFinite(pair.effect) ? pair.effect.toFixed(2) : '-',
      `${pair.wins}/${pair.ties}/${pair.losses}`,
      ...names.map(name => pValue(pair.adjusted[name])),
      pair.significant ? 'yes' : 'no',
    ]),
  );
}

function printText({ measures }: Judging, comparison: Comparison): string {
  const { systems, pairs, deciding, alpha, correction } = comparison;
  const right = (title: string) => ({ title, align: 'right' as const });
  const parts = [
    table(
      [{ title: 'system' }, ...measures.map(({ asked }) => right(asked))],
      systems.map(({ name, means }) => [name, ...measures.map(({ asked }) => fixed(means[asked]!))]),
    ),
  ];
  parts.push(pairsTable(comparison));
  const perMeasure = pairs.length / measures.length;
  const adjusted =
    correction === 'holm' && perMeasure > 1 ? `p-values adjusted by Holm for ${perMeasure} pairs a measure. ` : '';
  const says = deciding.length > 1 ? `${deciding.join(', ')} are all` : `${deciding[0]} is`;
  parts.push(`${adjusted}Significant: adjusted p of ${says} below ${alpha}.`);
  const empty = measures.map(({ asked, measure }, m) => {
    const most = Math.max(...systems.map(({ results }) => results[m]!.empty));
    return most === 0 ? '' : `${asked}: empty queries: ${count(most)}, each ${emptyCounting(measure.empty)}.`;
  });
  const notes = pairs.flatMap(pair => pair.notes.map(note => `${pair.measure}, ${pair.a} - ${pair.b}: ${note}.`));
  return [...parts, [...empty, ...notes].filter(Boolean).join('\n')].filter(Boolean).join('\n\n');
}

function emptyCounting(empty: number | 'skip'): string {
  return empty === 'skip' ? 'left out for both systems' : `counting ${emptyWords(empty)} for both`;
}
