/** Judges one ranking: a model over data, a score file beside data, or a run against judgments. */
import { readSystem, type System } from '../../analysis/system.js';
import { readDataset } from '../../data/read/read.js';
import { readQrels } from '../../data/readers/trec/qrels.js';
import { evaluateSteps, type MeasureResult } from '../../measures/evaluate.js';
import { presets } from '../../measures/presets.js';
import { evaluatePage } from '../../report/evaluate-page.js';
import { inTurns } from '../../steps.js';
import type { CommandDefinition, CommandOption, OptionValues } from '../command.js';
import { refuseFlags, refuseStdinTwice, usage } from '../contradictions.js';
import { dataOptions, followedInput, readOptions, scoringOptions } from '../data-options.js';
import { emptyWords, type Judging, measureOptions, readJudging } from '../measure-options.js';
import type { Output } from '../output.js';
import { originOf, reportOption, reportTarget, writePage } from '../report-option.js';
import { count, csv, fixed, table } from '../table.js';

/** Intervals of the page are of 95 %. */
const ALPHA = 0.05;

const runOptions: readonly CommandOption[] = [
  { flags: '--qrels <file>', description: 'TREC judgments of the run' },
  { flags: '--complete', description: 'judge every query of the qrels, also those that the run lacks (trec_eval -c)' },
];

export const evaluate: CommandDefinition = {
  name: 'evaluate',
  summary: 'Judge a ranking: a model or a score file over data, or a TREC run against qrels.',
  arguments: [
    { name: '[model]', description: 'model file of any format; left out with --scores and --run' },
    { name: '[data]', description: 'labelled data: a file, a directory, a glob or - for stdin' },
  ],
  options: [
    {
      flags: '--scores <file>',
      description: 'scores of the data, one a line in input order, or as RankLib writes them',
    },
    { flags: '--run <file>', description: 'TREC run file' },
    ...runOptions,
    ...measureOptions,
    { flags: '--per-query', description: 'the value of every query, too' },
    { flags: '--csv', description: 'comma-separated values, numbers in full' },
    { flags: '--out <file>', description: 'write the result to this file' },
    reportOption,
    ...dataOptions,
  ],
  examples: [
    'listwise evaluate model.json test.txt -m ndcg@1,3,5,10,ap',
    'listwise evaluate --scores scores.txt test.txt --preset lightgbm',
    'listwise evaluate --run results.txt --qrels qrels.txt --preset trec_eval -m map,P_10,ndcg_cut_10 --per-query',
  ],
  async run(args, options, output) {
    if (options.csv && output.json) throw usage('--csv does not go with --json');
    refuseContradictions(args, options);
    const report = await reportTarget(options);
    const judging = await readJudging(options, output);
    const system = await readRanking(args, options, output);
    const measures = judging.measures.map(({ measure }) => measure);
    const steps = evaluateSteps(system.data, system.scores, measures, { ties: judging.ties });
    const results = await inTurns(steps, output.shares('judging'));
    if (report !== undefined) {
      const name = (options.run ?? options.scores ?? args[0]) as string;
      const file = (options.qrels === undefined ? args.at(-1) : options.qrels) as string;
      const page = evaluatePage({
        system: { ...system, name },
        results,
        asked: judging.measures.map(({ asked }) => asked),
        curves: { ...judging, alpha: ALPHA, onProgress: output.shares('drawing') },
        origin: originOf(options, [{ file, data: system.data }]),
      });
      await writePage(report, page, output);
    }
    const print = options.csv ? printCsv : printText;
    await output.resultTo(
      options.out as string | undefined,
      'evaluate',
      toJson(judging, system, results, options.perQuery === true),
      () => print(judging, system, results, options.perQuery === true),
    );
  },
};

function refuseContradictions(args: readonly string[], options: OptionValues): void {
  const files = [...args, options.scores, options.run, options.qrels] as (string | undefined)[];
  refuseStdinTwice(files);
  if (options.run !== undefined) {
    if (options.qrels === undefined) throw usage('--run needs --qrels: the judgments of its documents');
    if (options.scores !== undefined) throw usage('--scores does not go with --run');
    if (args.length > 0) throw usage(`--run takes no data, found "${args[0]}"; judgments are named by --qrels`);
    refuseFlags(options, dataOptions, '--run: qrels and run files have one layout');
    return;
  }
  refuseFlags(options, runOptions, 'data: it belongs to --run');
  if (options.scores === undefined) {
    if (args.length !== 2) throw usage('give MODEL DATA, --scores FILE DATA, or --run RUN --qrels QRELS');
  } else if (args.length !== 1) throw usage(`--scores takes one DATA, found ${args.length}`);
}

async function readRanking(args: readonly string[], options: OptionValues, output: Output): Promise<System> {
  const note = (text: string) => output.note(text);
  if (options.run !== undefined) {
    const judged = await readQrels(await followedInput(options.qrels as string, output));
    const run = await followedInput(options.run as string, output);
    return readSystem('run', run, judged, { kind: 'run', complete: options.complete === true, note });
  }
  const scores = options.scores as string | undefined;
  // The small file first: a misspelt name should not wait for the data.
  const input = await followedInput(scores ?? args[0]!, output);
  const data = await readDataset(args.at(-1)!, readOptions(options, output));
  const kind = scores === undefined ? 'model' : 'scores';
  return readSystem('scores', input, data, { kind, ...scoringOptions(options, output) });
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
    const columns = [{ title: 'query' }, ...measures.map(({ asked }) => ({ title: asked, align: 'right' as const }))];
    parts.push(
      table(
        columns,
        system.data.queryIds.map((query, q) => [query, ...results.map(({ values }) => fixed(values[q]!))]),
      ),
    );
  }
  const right = (title: string) => ({ title, align: 'right' as const });
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
