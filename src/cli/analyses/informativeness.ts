import { systemsAlongTraining } from '../../analysis/informativeness/along-training.js';
import { canInfer } from '../../analysis/informativeness/infer.js';
import { informativenessSteps } from '../../analysis/informativeness/informativeness.js';
import type { System } from '../../analysis/system.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { ListwiseError } from '../../errors.js';
import type { AskedMeasure } from '../../measures/parse.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import { type AskedInformativeness, informativenessDocument } from '../../report/analyses/informativeness.js';
import type { NamedData } from '../../report/data-origin.js';
import { inTurns } from '../../steps.js';
import { DEFAULT_OBJECTIVE, type InformativenessLine } from '../declarations/analyses/informativeness.js';
import type { Output } from '../output.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';
import { checkSystems, readSystems } from '../settings/systems.js';
import { readTraining } from '../settings/training.js';
import type { AnalysisResult } from './analysis.js';

export async function informativeness(line: InformativenessLine, output: Output): Promise<AnalysisResult> {
  const { args, options } = line;
  const { train: training, rel } = options;
  checkSystems(args.data, options, training === undefined ? 1 : 0);
  const evaluation = await readEvaluation(options, output);
  const predicted = await predictedMeasures(options, output, evaluation.measures);
  refuseWithout(evaluation.measures, 'labels cannot be inferred from', canInfer);
  refuseWithout(predicted, 'cannot predict', measure => measure.expectation !== undefined);
  const { systems: given, evaluated } = await readSystems(args.data, options.system, options, output);
  const along = training === undefined ? undefined : await trainSystems(training, evaluated.data, options, output);
  const systems = [...given, ...(along?.systems ?? [])];
  const steps = informativenessSteps(
    systems,
    evaluation.measures.map(({ measure }) => measure),
    { predict: predicted.map(({ measure }) => measure), relevant: rel, ties: evaluation.ties },
  );
  const results = await inTurns(steps, output.shares('inferring'));
  const found = evaluation.measures.map(({ asked }, m) => ({ asked, result: results[m]! }));
  const names = predicted.map(({ asked }) => asked);
  return {
    document: informativenessDocument(found, names),
    data: [evaluated, ...(along === undefined ? [] : [along.source])],
    facts: { systems: systems.map(({ name }) => name), relevant: rel ?? 1 },
    results: found.map(one => toJson(one, names)),
  };
}

/** The models of a training run for each objective. */
async function trainSystems(
  file: string,
  evaluated: Dataset,
  options: InformativenessLine['options'],
  output: Output,
): Promise<{ systems: readonly System[]; source: NamedData }> {
  const { objective, ...training } = await readTraining(options, output, ['select', 'holdout']);
  const objectives = options.objective.length > 0 ? options.objective : [objective ?? DEFAULT_OBJECTIVE];
  const modules = options.load;
  const library = await loadLibrary(modules);
  for (const spec of objectives) parseObjective(spec, library); // a mistake is said before data is read
  const data = await readDataset(file, await readOptions(options, output));
  const systems = await systemsAlongTraining({
    ...training,
    modules,
    objectives,
    data,
    evaluated,
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
  return (await readEvaluation({ ...options, measure: options.predict }, output)).measures;
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

function toJson({ asked, result }: AskedInformativeness, names: readonly string[]): Record<string, unknown> {
  const { measure: _, predictions, ...rest } = result;
  return {
    measure: asked,
    ...rest,
    predictions: predictions.map(({ measure: __, ...prediction }, p) => ({ measure: names[p], ...prediction })),
  };
}
