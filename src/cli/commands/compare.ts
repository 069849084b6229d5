/** Compares systems on the same queries, with significance tests. */
import { type Comparison, compareSteps } from '../../analysis/compare.js';
import { comparePage } from '../../report/compare-page.js';
import { inTurns } from '../../steps.js';
import type { CompareLine } from '../declarations/compare.js';
import type { Output } from '../output.js';
import { pairJson, pairsTable } from '../pairs.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { emptyWords, type Judging, readJudging } from '../settings/judging.js';
import { checkSystems, readSystems } from '../settings/systems.js';
import { count, fixed, right, table } from '../terminal/table.js';

export async function compare(line: CompareLine, output: Output): Promise<void> {
  const { args, options } = line;
  checkSystems(args.data, options, 2);
  const report = await reportTarget(options);
  const judging = await readJudging(options, output);
  const { systems, judged } = await readSystems(args.data, options.system, options, output);
  const steps = compareSteps(systems, judging.measures, {
    baseline: options.baseline,
    alpha: options.alpha,
    correction: options.correction,
    agree: options.agree,
    ties: judging.ties,
    seed: options.seed,
  });
  const comparison = await inTurns(steps, output.shares('comparing'));
  if (report !== undefined) {
    const origin = originOf(line, [judged], output);
    const curves = { ...judging, onProgress: output.shares('drawing') };
    await writePage(report, comparePage({ systems, comparison, curves, origin }), output);
  }
  await output.resultTo(options.out, 'compare', toJson(judging, comparison), () => printText(judging, comparison));
}

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

function printText({ measures }: Judging, comparison: Comparison): string {
  const { systems, pairs, deciding, alpha, correction } = comparison;
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
