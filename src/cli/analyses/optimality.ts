import { directionCount } from '../../analysis/optimality/directions.js';
import { exactOptimality, exactStanding, exactVerdict } from '../../analysis/optimality/exact-optimality.js';
import { localOptimality, optimalityVerdict, randomised } from '../../analysis/optimality/local-optimality.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { isModelFile, openModel } from '../../interop/open-model.js';
import type { Ranker } from '../../models/ranker.js';
import { readForAll } from '../../models/read-for.js';
import { type ExactCase, exactDocument } from '../../report/analyses/exact-optimality.js';
import { type OptimalityCase, optimalityDocument } from '../../report/analyses/optimality.js';
import type { NamedData } from '../../report/data-origin.js';
import { usage } from '../command/option.js';
import type { OptimalityLine } from '../declarations/analyses/optimality.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';
import type { AnalysisResult } from './analysis.js';

export async function optimality(line: OptimalityLine, output: Output): Promise<AnalysisResult> {
  const { inputs, options } = line;
  const evaluation = await readEvaluation(options, output);
  const settings = readSettings(options);
  const { models, data } = await readInputs(inputs, options, output);
  const rankers = models.flatMap(({ file, model }) => [
    { file, model },
    ...(options.control ? [{ file: `${file}, random`, model: randomised(model, settings.seed) }] : []),
  ]);
  if (options.exact) return exact(line, output, rankers, data, evaluation);
  const cases: OptimalityCase[] = [];
  const progress = output.progress('altering');
  const runs = rankers.flatMap(ranker => data.map(set => ({ ranker, set })));
  const measures = evaluation.measures.map(({ measure }) => measure);
  for (const [r, { ranker, set }] of runs.entries()) {
    const results = await localOptimality(ranker.model, set.data, measures, {
      ...settings,
      ...modelMatch(options, output),
      ties: evaluation.ties,
      modules: options.load,
      parsed: true,
      progress: (done, total) => progress.update(r * total + done, runs.length * total),
    });
    for (const [m, result] of results.entries()) {
      cases.push({ model: ranker.file, data: set.file, measure: evaluation.measures[m]!.asked, result });
    }
  }
  progress.finish();
  for (const text of shortSteps(cases)) output.note(text);
  return {
    document: optimalityDocument(cases),
    data,
    facts: { ...settings, directions: cases[0]!.result.random.directions, threads: undefined },
    results: cases.map(toJson),
  };
}

function exactJson({ model, data, measure, result }: ExactCase): Record<string, unknown> {
  const { measure: _, ...rest } = result;
  return { model, data, measure, ...rest, standing: exactStanding(result), verdict: exactVerdict(measure, result) };
}

/** Every step along each line, in the place of samples. */
async function exact(
  { options }: OptimalityLine,
  output: Output,
  rankers: readonly { file: string; model: Ranker }[],
  data: readonly NamedData[],
  evaluation: Awaited<ReturnType<typeof readEvaluation>>,
): Promise<AnalysisResult> {
  const { epsilon, delta, threshold, relative, seed, threads } = options;
  const directions = options.directions ?? directionCount(epsilon, delta);
  const progress = output.progress('searching');
  const cases: ExactCase[] = [];
  const measures = evaluation.measures.map(({ measure }) => measure);
  for (const { file, model } of rankers) {
    for (const set of data) {
      const results = await exactOptimality(model, set.data, measures, {
        ...modelMatch(options, output),
        directions,
        threshold,
        relative,
        seed,
        threads,
        modules: options.load,
        parsed: true,
        progress: (done, total) => progress.update(done, total),
      });
      for (const [m, result] of results.entries()) {
        cases.push({ model: file, data: set.file, measure: evaluation.measures[m]!.asked, result });
      }
    }
  }
  progress.finish();
  return {
    document: exactDocument(cases),
    data,
    facts: { exact: true, directions, threshold, relative, seed },
    results: cases.map(exactJson),
  };
}

function readSettings(options: OptimalityLine['options']) {
  const { epsilon, delta, directions, steps, threshold, relative, curves, seed, threads } = options;
  return {
    epsilon,
    delta,
    directions,
    steps,
    threshold,
    equalCounts: options.countEqual,
    relative,
    singles: options.weights,
    curves,
    seed,
    threads,
  };
}

/** An input that starts as model files do is a model, any other is data. */
async function readInputs(inputs: readonly string[], options: OptimalityLine['options'], output: Output) {
  const models: { file: string; model: Ranker }[] = [];
  const note = (message: string) => output.note(message);
  const files: string[] = [];
  for (const file of inputs) {
    if (await isModelFile(file)) models.push({ file, model: await openModel(file, { note }) });
    else files.push(file);
  }
  const read = await readOptions(options, output);
  const known = models.map(({ model }) => model);
  const data: NamedData[] = [];
  for (const file of files) {
    data.push({ file, data: await readDataset(file, known.length === 0 ? read : readForAll(known, read)) });
  }
  if (models.length > 0 && data.length > 0) return { models, data };
  throw usage(`give at least one model file and one DATA, found ${models.length} and ${data.length}`);
}

/** Below this share of the length of the parameters the longest step tells little. */
const SHORT = 0.1;

/** One note a model whose parameters are so long that the steps hardly change its rankings. */
function shortSteps(cases: readonly OptimalityCase[]): string[] {
  const notes = cases.flatMap(({ model, result: { norm, length, steps, title } }) => {
    const share = (length * Math.max(...steps)) / norm;
    if (!(share < SHORT)) return [];
    return `${model}: the longest step is ${Number((100 * share).toPrecision(2))} % of the length of the ${title}, ${norm.toPrecision(4)}; such steps hardly change a ranking, so both rises and their absence tell little (--relative takes steps as shares of the length)`;
  });
  return [...new Set(notes)];
}

function toJson({ model, data, measure, result }: OptimalityCase): Record<string, unknown> {
  const { measure: _, ...rest } = result;
  return { model, data, measure, ...rest, verdict: optimalityVerdict(measure, result) };
}
