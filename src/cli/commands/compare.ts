/** Compares systems on the same queries, with significance tests. */
import { type Comparison, compareSteps } from '../../analysis/compare.js';
import type { System } from '../../analysis/system.js';
import { compareDocument } from '../../report/commands/compare.js';
import { terminalText } from '../../report/render/terminal.js';
import { type SegmentRow, segmentDifference, segmentsOf, segmentsSection } from '../../report/segments.js';
import { inTurns } from '../../steps.js';
import type { CompareLine } from '../declarations/compare.js';
import type { Output } from '../output.js';
import { pairJson } from '../pairs.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { type Evaluation, readEvaluation } from '../settings/evaluation.js';
import { checkSystems, readBy, readSystems } from '../settings/systems.js';

export async function compare(line: CompareLine, output: Output): Promise<void> {
  const { args, options } = line;
  checkSystems(args.data, options, 2);
  const report = await reportTarget(options);
  const evaluation = await readEvaluation(options, output);
  const { systems, evaluated } = await readSystems(args.data, options.system, options, output, readBy(options.by));
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
  const whole = compareDocument({ systems, comparison, curves });
  const { by } = options;
  const segments = by === undefined ? [] : bySegment(by, evaluation, systems, comparison);
  const rows = segments.map(row => ({ ...row, of: [row.of[0]!, `${row.of[1]} - ${row.of[2]}`] }));
  const sections =
    by === undefined ? [] : [segmentsSection(by, ['measure', 'a - b'], 'difference', rows, comparison.alpha)];
  const document = { ...whole, sections: [...sections, ...whole.sections] };
  if (report !== undefined)
    await writePage(report, { ...document, origin: originOf(line, [evaluated], output) }, output);
  const value = {
    ...toJson(evaluation, comparison),
    ...(by !== undefined && {
      by: {
        column: by,
        segments: segments.map(({ segment, of: [measure, a, b], estimate }) => ({
          value: segment,
          measure,
          a,
          b,
          difference: estimate.value,
          ci: [estimate.low, estimate.high],
          queries: estimate.queries,
        })),
      },
    }),
  };
  await output.resultTo(options.out, 'compare', value, screen => terminalText(document.sections, screen));
}

/** Differences of the compared pairs; systems over data have its queries in its order. */
function bySegment(
  by: string,
  { measures }: Evaluation,
  systems: readonly System[],
  comparison: Comparison,
): SegmentRow[] {
  const results = new Map(comparison.systems.map(({ name, results }) => [name, results]));
  return segmentsOf(systems[0]!.data, by).flatMap(segment =>
    comparison.pairs.map(({ measure, a, b }) => {
      const m = measures.findIndex(({ asked }) => asked === measure);
      const estimate = segmentDifference(results.get(a)![m]!, results.get(b)![m]!, segment, comparison.alpha);
      return { segment: segment.value, of: [measure, a, b], estimate };
    }),
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
