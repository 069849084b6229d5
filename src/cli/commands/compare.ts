/** Compares systems on the same queries, with significance tests. */
import { type Comparison, compareSteps } from '../../analysis/compare.js';
import { compareDocument } from '../../report/commands/compare.js';
import { terminalText } from '../../report/render/terminal.js';
import { inTurns } from '../../steps.js';
import type { CompareLine } from '../declarations/compare.js';
import type { Output } from '../output.js';
import { pairJson } from '../pairs.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { type Evaluation, readEvaluation } from '../settings/evaluation.js';
import { checkSystems, readSystems } from '../settings/systems.js';

export async function compare(line: CompareLine, output: Output): Promise<void> {
  const { args, options } = line;
  checkSystems(args.data, options, 2);
  const report = await reportTarget(options);
  const evaluation = await readEvaluation(options, output);
  const { systems, evaluated } = await readSystems(args.data, options.system, options, output);
  const steps = compareSteps(systems, evaluation.measures, {
    baseline: options.baseline,
    alpha: options.alpha,
    correction: options.correction,
    agree: options.agree,
    ties: evaluation.ties,
    seed: options.seed,
  });
  const comparison = await inTurns(steps, output.shares('comparing'));
  const curves = report === undefined ? undefined : { ...evaluation, onProgress: output.shares('drawing') };
  const document = compareDocument({ systems, comparison, curves });
  if (report !== undefined)
    await writePage(report, { ...document, origin: originOf(line, [evaluated], output) }, output);
  await output.resultTo(options.out, 'compare', toJson(evaluation, comparison), screen =>
    terminalText(document.sections, screen),
  );
}

function toJson({ measures, preset, ties }: Evaluation, comparison: Comparison) {
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
