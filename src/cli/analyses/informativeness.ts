import { systemsAlongTraining } from '../../analysis/informativeness/along-training.js';
import { canInfer } from '../../analysis/informativeness/infer.js';
import { type Informativeness, informativenessSteps } from '../../analysis/informativeness/informativeness.js';
import type { System } from '../../analysis/system.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { ListwiseError } from '../../errors.js';
import type { AskedMeasure } from '../../measures/parse.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import type { Section } from '../../report/page.js';
import { listed } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import { DEFAULT_OBJECTIVE, type InformativenessLine } from '../declarations/analyses/informativeness.js';
import type { Output } from '../output.js';
import type { NamedData } from '../report-option.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readJudging } from '../settings/judging.js';
import { checkSystems, readSystems } from '../settings/systems.js';
import { readTraining } from '../settings/training.js';
import { count, fixed, right, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

/** A result with the names its measures were asked for by. */
interface Told {
  readonly asked: string;
  readonly result: Informativeness;
}

export async function informativeness(line: InformativenessLine, output: Output): Promise<AnalysisResult> {
  const { args, options } = line;
  const { train: training, rel } = options;
  checkSystems(args.data, options, training === undefined ? 1 : 0);
  const judging = await readJudging(options, output);
  const predicted = await predictedMeasures(options, output, judging.measures);
  refuseWithout(judging.measures, 'labels cannot be inferred from', canInfer);
  refuseWithout(predicted, 'cannot predict', measure => measure.expectation !== undefined);
  const { systems: given, judged } = await readSystems(args.data, options.system, options, output);
  const along = training === undefined ? undefined : await trainSystems(training, judged.data, options, output);
  const systems = [...given, ...(along?.systems ?? [])];
  const steps = informativenessSteps(
    systems,
    judging.measures.map(({ measure }) => measure),
    {
      predict: predicted.map(({ measure }) => measure),
      relevant: rel,
      ties: judging.ties,
    },
  );
  const results = await inTurns(steps, output.shares('inferring'));
  const told = judging.measures.map(({ asked }, m) => ({ asked, result: results[m]! }));
  const names = predicted.map(({ asked }) => asked);
  return {
    verdict: verdictOf(told),
    facts: { systems: systems.map(({ name }) => name), relevant: rel ?? 1 },
    results: told.map(one => toJson(one, names)),
    text: () => printText(told, names),
    page: {
      title: 'Informativeness',
      data: [judged, ...(along === undefined ? [] : [along.source])],
      sections: () => sections(told, names),
    },
  };
}

/** The models of a training run for each objective. */
async function trainSystems(
  file: string,
  judged: Dataset,
  options: InformativenessLine['options'],
  output: Output,
): Promise<{ systems: readonly System[]; source: NamedData }> {
  const { objective, ...training } = await readTraining(options, output, ['select', 'holdout']);
  const objectives = options.objective.length > 0 ? options.objective : [objective ?? DEFAULT_OBJECTIVE];
  const modules = options.load;
  const library = await loadLibrary(modules);
  for (const spec of objectives) parseObjective(spec, library); // a mistake is said before data is read
  const data = await readDataset(file, readOptions(options, output));
  const systems = await systemsAlongTraining({
    ...training,
    modules,
    objectives,
    data,
    judged,
    holdout: 0,
    every: options.every,
    threads: options.threads,
    match: matchOptions(options, output),
    note: text => output.note(text),
    progress: output.shares('training'),
  });
  return { systems, source: { file, data } };
}

async function predictedMeasures(
  options: InformativenessLine['options'],
  output: Output,
  fallback: readonly AskedMeasure[],
): Promise<readonly AskedMeasure[]> {
  if (options.predict.length === 0) return fallback;
  return (await readJudging({ ...options, measure: options.predict }, output)).measures;
}

/** Said by name and before anything is read. */
function refuseWithout(
  measures: readonly AskedMeasure[],
  what: string,
  has: (measure: AskedMeasure['measure']) => boolean,
): void {
  const lacking = measures.find(({ measure }) => !has(measure));
  if (lacking === undefined) return;
  throw new ListwiseError(
    'spec-parameter',
    `${what} ${lacking.asked}: it declares no such expected value; docs/measures.md lists the measures that do`,
  );
}

function verdictOf(told: readonly Told[]): string {
  const known = told.filter(({ result }) => result.lists > 0).sort((a, b) => a.result.rms - b.result.rms);
  if (known.length === 0) return 'No list holds a relevant document: there is nothing to infer.';
  const [best] = known as [Told];
  const off = `the precision-recall curves inferred from it are off by ${best.result.rms.toFixed(3)} (root of the mean square)`;
  if (known.length === 1) return `Of ${best.asked} this can be said: ${off}.`;
  if (known.at(-1)!.result.rms - best.result.rms < 5e-4) {
    return `None of ${known.length} measures tells more than the others: the precision-recall curves inferred from each are off by ${best.result.rms.toFixed(3)} (root of the mean square).`;
  }
  const others = known.slice(1).map(({ asked, result }) => `${result.rms.toFixed(3)} from ${asked}`);
  return `${best.asked} tells most of ${known.length} measures: ${off}, against ${listed(others)}.`;
}

function toJson({ asked, result }: Told, names: readonly string[]): Record<string, unknown> {
  const { measure: _, predictions, ...rest } = result;
  return {
    measure: asked,
    ...rest,
    predictions: predictions.map(({ measure: __, ...prediction }, p) => ({ measure: names[p], ...prediction })),
  };
}

function printText(told: readonly Told[], names: readonly string[]): string {
  const most = Math.max(...told.map(({ result }) => result.empty));
  return [
    table(
      [{ title: 'measure' }, ...['curve RMS', 'curve MAE', 'entropy left', 'lists'].map(right)],
      told.map(({ asked, result: { rms, mae, entropy, lists } }) => [
        asked,
        fixed(rms),
        fixed(mae),
        fixed(entropy),
        count(lists),
      ]),
    ),
    table(
      [{ title: 'known' }, { title: 'predicted' }, ...['RMS of systems', 'RMS of queries', "Kendall's tau"].map(right)],
      told.flatMap(({ asked, result }) =>
        result.predictions.map(({ rms, queryRms, tau }, p) => [
          asked,
          names[p]!,
          fixed(rms),
          fixed(queryRms),
          fixed(tau),
        ]),
      ),
    ),
    [
      'Curve: inferred against real precision where recall changes. Entropy left: of relevance, nats a document. A list is a query of a system.',
      ...(most > 0
        ? [`Left out: ${count(most)} lists where a measure is undefined or no relevant document is found.`]
        : []),
    ].join('\n'),
  ].join('\n\n');
}

function sections(told: readonly Told[], names: readonly string[]): Section[] {
  const recall = told[0]!.result.curve.map(point => point.recall);
  return [
    {
      title: 'Precision-recall curves',
      lead: 'What each measure lets infer of a list, against what it is. The nearer to the real curve, the more the value tells.',
      blocks: [
        {
          kind: 'lines',
          title: 'Mean precision by recall',
          x: { label: 'recall, of the relevant documents in the list', domain: [0, 1] },
          y: { label: 'precision', style: 'value', domain: [0, 1] },
          series: [
            { name: 'real', x: recall, y: told[0]!.result.curve.map(point => point.actual) },
            ...told.map(({ asked, result }) => ({
              name: `from ${asked}`,
              x: recall,
              y: result.curve.map(point => point.inferred),
            })),
          ],
        },
        {
          kind: 'table',
          title: 'Errors of the curves',
          columns: [
            { title: 'measure' },
            ...['root mean square', 'mean absolute error', 'entropy left'].map(title => ({
              title,
              style: 'value' as const,
            })),
            ...['lists', 'left out'].map(title => ({ title, style: 'count' as const })),
          ],
          rows: told.map(({ asked, result: { rms, mae, entropy, lists, empty } }) => [
            asked,
            rms,
            mae,
            entropy,
            lists,
            empty,
          ]),
        },
      ],
    },
    {
      title: 'Predictions',
      lead: 'Other measures, as the inferred labels make one expect them: a dot a system; on the diagonal the prediction is right. Errors are roots of mean squares.',
      blocks: [
        ...names.map((name, p) => ({
          kind: 'scatter' as const,
          title: `${name} of systems`,
          item: 'system',
          diagonal: true,
          x: { label: `real ${name}`, style: 'value' as const },
          y: { label: `predicted ${name}`, style: 'value' as const },
          points: told.flatMap(({ asked, result }) =>
            result.predictions[p]!.systems.map(({ name: system, actual, predicted }) => ({
              name: system,
              x: actual,
              y: predicted,
              series: `from ${asked}`,
            })),
          ),
        })),
        {
          kind: 'table' as const,
          title: 'Errors of the predictions',
          columns: [
            { title: 'known' },
            { title: 'predicted' },
            ...['error of systems', 'error of queries', "Kendall's tau"].map(title => ({
              title,
              style: 'value' as const,
            })),
          ],
          rows: told.flatMap(({ asked, result }) =>
            result.predictions.map(({ rms, queryRms, tau }, p) => [asked, names[p]!, rms, queryRms, tau]),
          ),
        },
      ],
    },
  ];
}
