/** Judges one ranking: a model over data, a score file beside data, or a run against judgments. */
import type { System } from '../../analysis/system.js';
import { evaluateSteps, type MeasureResult } from '../../measures/evaluate.js';
import { presets } from '../../measures/presets.js';
import { evaluatePage } from '../../report/evaluate-page.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { EvaluateLine } from '../declarations/evaluate.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { emptyWords, type Judging, readJudging } from '../settings/judging.js';
import { readSystems } from '../settings/systems.js';
import { count, csv, fixed, right, table } from '../terminal/table.js';

/** Intervals of the page are of 95 %. */
const ALPHA = 0.05;

export async function evaluate(line: EvaluateLine, output: Output): Promise<void> {
  const { options } = line;
  const ranking = rankingOf(line);
  const report = await reportTarget(options);
  const judging = await readJudging(options, output);
  const { systems, judged } = await readSystems(ranking.data, [ranking], options, output);
  const system = systems[0]!;
  const measures = judging.measures.map(({ measure }) => measure);
  const steps = evaluateSteps(system.data, system.scores, measures, { ties: judging.ties });
  const results = await inTurns(steps, output.shares('judging'));
  if (report !== undefined) {
    const page = evaluatePage({
      system,
      results,
      asked: judging.measures.map(({ asked }) => asked),
      curves: { ...judging, alpha: ALPHA, onProgress: output.shares('drawing') },
      origin: originOf(line, [{ file: judged.file, data: system.data }], output),
    });
    await writePage(report, page, output);
  }
  const print = options.csv ? printCsv : printText;
  await output.resultTo(options.out, 'evaluate', toJson(judging, system, results, options.perQuery), () =>
    print(judging, system, results, options.perQuery),
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

function toJson(judging: Judging, system: System, results: readonly MeasureResult[], perQuery: boolean) {
  const { measures, preset, ties } = judging;
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
            values: Object.fromEntries(results.map(({ values }, m) => [measures[m]!.asked, values[q]])),
          })),
        }
      : {}),
    preset,
    ties,
    ...(system.withoutJudgments && { withoutJudgments: system.withoutJudgments }),
    ...(system.withoutDocuments && { withoutDocuments: system.withoutDocuments }),
  };
}

function printCsv({ measures }: Judging, system: System, results: readonly MeasureResult[], perQuery: boolean): string {
  if (perQuery) {
    const rows = system.data.queryIds.map((query, q) => [query, ...results.map(({ values }) => values[q]!)]);
    return csv([['query', ...measures.map(({ asked }) => asked)], ...rows]);
  }
  const rows = results.map(({ measure, mean, queries, empty }, m) => [
    measures[m]!.asked,
    measure.spec,
    mean,
    queries,
    empty,
    emptyWords(measure.empty),
  ]);
  return csv([['measure', 'canonical', 'mean', 'queries', 'empty', 'each counts'], ...rows]);
}

function printText(judging: Judging, system: System, results: readonly MeasureResult[], perQuery: boolean): string {
  const { measures, preset, ties } = judging;
  const parts: string[] = [];
  if (perQuery) {
    const columns = [{ title: 'query' }, ...measures.map(({ asked }) => right(asked))];
    parts.push(
      table(
        columns,
        system.data.queryIds.map((query, q) => [query, ...results.map(({ values }) => fixed(values[q]!))]),
      ),
    );
  }
  parts.push(
    table(
      [{ title: 'measure' }, right('mean'), right('queries'), right('empty'), right('each counts')],
      results.map(({ measure, mean, queries, empty }, m) => [
        measures[m]!.asked,
        fixed(mean),
        count(queries),
        count(empty),
        emptyWords(measure.empty),
      ]),
    ),
  );
  const words = { input: 'in input order', document: 'by document id, descending' };
  const changed = ties === presets[preset].ties ? '' : ` But ties ${words[ties]}.`;
  const own = measures.some(({ asked }) => asked.includes('('))
    ? " What a measure's own parameters say comes first."
    : '';
  parts.push(`${count(system.data.rows)} documents. ${presets[preset].title}${changed}${own}`);
  return parts.join('\n\n');
}
