/** Evaluates one ranking: a model over data, a score file beside data, or a run against judgments. */
import type { System } from '../../analysis/system.js';
import { queryValues } from '../../data/query-values.js';
import type { MeasureResult } from '../../measures/evaluate.js';
import { evaluateAsked } from '../../measures/evaluate-on-threads.js';
import {
  ALPHA,
  type EvaluateInput,
  evaluateDocument,
  meansTable,
  queriesTable,
} from '../../report/commands/evaluate.js';
import { estimateOf } from '../../report/mean-interval.js';
import { csvText } from '../../report/render/csv.js';
import { terminalText } from '../../report/render/terminal.js';
import {
  ALL_SEGMENTS,
  type SegmentRow,
  segmentEstimate,
  segmentsCsv,
  segmentsOf,
  segmentsSection,
} from '../../report/segments.js';
import { columnsOn } from '../../report/shown-on.js';
import { usage } from '../command/option.js';
import type { EvaluateLine } from '../declarations/evaluate.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { type Evaluation, readEvaluation } from '../settings/evaluation.js';
import { readBy, readSystems } from '../settings/systems.js';

export async function evaluate(line: EvaluateLine, output: Output): Promise<void> {
  const { options } = line;
  const ranking = rankingOf(line);
  const report = await reportTarget(options);
  const evaluation = await readEvaluation(options, output);
  const { systems, evaluated } = await readSystems(ranking.data, [ranking], options, output, readBy(options.by));
  const system = systems[0]!;
  const results = await evaluateAsked(system.data, system.scores, evaluation.measures, {
    ties: evaluation.ties,
    threads: options.threads,
    modules: options.load,
    progress: output.shares('evaluating'),
  });
  const input = {
    system,
    results,
    asked: evaluation.measures.map(({ asked }) => asked),
    curves: report === undefined ? undefined : { ...evaluation, alpha: ALPHA, onProgress: output.shares('drawing') },
    preset: evaluation.preset,
    ties: evaluation.ties,
    perQuery: options.perQuery,
    by: options.by,
  };
  const whole = evaluateDocument(input);
  const { by } = options;
  const segments = by === undefined ? [] : bySegment(by, input.asked, system, results);
  const section = by === undefined ? undefined : segmentsSection(by, ['measure'], 'mean', segments, ALPHA);
  const document = section === undefined ? whole : { ...whole, sections: [section, ...whole.sections] };
  if (report !== undefined) {
    const origin = originOf(line, [{ file: evaluated.file, data: system.data }], output);
    await writePage(report, { ...document, origin }, output);
  }
  const value = {
    ...toJson(evaluation, input),
    ...(by !== undefined && {
      by: {
        column: by,
        segments: segments.map(({ segment, of, estimate: { value: mean, low, high, queries } }) => ({
          value: segment,
          measure: of[0]!,
          mean,
          ci: [low, high],
          queries,
        })),
      },
    }),
  };
  const csvTable = () => {
    if (options.perQuery) return queriesTable(input);
    if (by === undefined) return meansTable(input);
    const all = results.map((result, m): SegmentRow => {
      const estimate = { ...estimateOf(result, ALPHA), queries: result.queries };
      return { segment: ALL_SEGMENTS, of: [input.asked[m]!], estimate };
    });
    return segmentsCsv(by, ['measure'], 'mean', [...all, ...segments]);
  };
  await output.resultTo(options.out, 'evaluate', value, screen =>
    options.csv ? csvText(columnsOn('csv', csvTable())) : terminalText(document.sections, screen),
  );
}

function bySegment(
  by: string,
  asked: readonly string[],
  { data }: System,
  results: readonly MeasureResult[],
): SegmentRow[] {
  return segmentsOf(data, by).flatMap(segment =>
    results.map((result, m) => ({
      segment: segment.value,
      of: [asked[m]!],
      estimate: segmentEstimate(result, segment, ALPHA),
    })),
  );
}

/** The one system, and the data it ranks. */
function rankingOf({ inputs, options: { run, scores } }: EvaluateLine) {
  const [first, second] = inputs;
  if (run !== undefined) {
    if (first !== undefined) throw usage(`--run takes no data, found "${first}"; judgments are named by --qrels`);
    return { name: run, file: run, kind: 'run' as const, data: undefined };
  }
  if (scores !== undefined) {
    if (inputs.length !== 1) throw usage(`--scores takes one DATA, found ${inputs.length}`);
    return { name: scores, file: scores, kind: 'scores' as const, data: first };
  }
  if (first === undefined || second === undefined) {
    throw usage('give MODEL DATA, --scores FILE DATA, or --run RUN --qrels QRELS');
  }
  return { name: first, file: first, kind: 'model' as const, data: second };
}

function toJson({ measures, preset, ties }: Evaluation, { system, results, perQuery, by }: EvaluateInput) {
  const segments = by === undefined ? undefined : queryValues(system.data, by);
  return {
    measures: results.map(({ measure, mean, queries, empty }, m) => ({
      measure: measures[m]!.asked,
      canonical: measure.spec,
      mean,
      queries,
      empty,
      emptyCounts: measure.empty,
    })),
    ...(perQuery
      ? {
          perQuery: system.data.queryIds.map((query, q) => ({
            query,
            ...(segments && { segment: segments[q]! }),
            values: Object.fromEntries(results.map(({ values }, m) => [measures[m]!.asked, values[q]])),
          })),
        }
      : {}),
    preset,
    ties,
    tied: results[0]!.tied,
    ...(system.withoutJudgments && { withoutJudgments: system.withoutJudgments }),
    ...(system.withoutDocuments && { withoutDocuments: system.withoutDocuments }),
  };
}
