import {
  type ApproximationRun,
  approximationAlongTraining,
  approximationOf,
  approximationSteps,
  variedSpecs,
} from '../../analysis/approximation.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { openModel } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import type { Objective } from '../../objectives/objective.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import {
  approximationAlong,
  approximationAtModel,
  type ObjectiveAtScores,
} from '../../report/analyses/approximation.js';
import type { NamedData } from '../../report/data-origin.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import { type ApproximationLine, DEFAULT_OBJECTIVE } from '../declarations/analyses/approximation.js';
import type { Output } from '../output.js';
import { matchOptions, readOptions, scoringOptions } from '../settings/data.js';
import { readTraining, type Training } from '../settings/training.js';
import type { AnalysisResult } from './analysis.js';

type Values = ApproximationLine['options'];

export async function approximation({ args, options }: ApproximationLine, output: Output): Promise<AnalysisResult> {
  if (args.model !== undefined) {
    return atModel(args.model, args.data, await readObjectives(options, DEFAULT_OBJECTIVE), options, output);
  }
  const training = await readTraining(options, output, ['select', 'holdout']);
  const objectives = await readObjectives(options, training.objective ?? DEFAULT_OBJECTIVE);
  return alongTraining(args.data, training, objectives, options, output);
}

/** The objectives, each once for every value of --vary; all must approximate a measure. */
async function readObjectives({ objective, vary, load }: Values, fallback: string): Promise<Objective[]> {
  const written = objective.length > 0 ? objective : [fallback];
  const library = await loadLibrary(load);
  const specs = vary === undefined ? written : written.flatMap(spec => variedSpecs(spec, vary.key, vary.values));
  const objectives = specs.map(spec => parseObjective(spec, library));
  for (const one of objectives) approximationOf(one);
  const twice = objectives.find((one, i) => objectives.findIndex(other => other.spec === one.spec) < i);
  if (twice !== undefined) throw usage(`${twice.spec} is given twice`);
  return objectives;
}

async function atModel(
  modelFile: string,
  file: string,
  objectives: readonly Objective[],
  options: Values,
  output: Output,
): Promise<AnalysisResult> {
  const model = await openModel(modelFile, { note: message => output.note(message) });
  const data = await readDataset(file, readFor(model, await readOptions(options, output)));
  const scoring = scoringOptions(options, output);
  const scores = await scoreDataOnThreads(model, data, scoring.threads, scoring);
  const progress = output.shares('evaluating');
  const found: ObjectiveAtScores[] = [];
  for (const [o, objective] of objectives.entries()) {
    const steps = approximationSteps(objective, data, scores);
    const error = await inTurns(steps, share => progress((o + share) / objectives.length));
    found.push({ objective: objective.spec, ...error });
  }
  return {
    document: approximationAtModel(modelFile, found),
    data: [{ file, data }],
    results: found.map(({ errors, values: _, ...one }) => ({
      ...one,
      perQuery: data.queryIds.map((query, q) => ({ query, error: errors[q] })),
    })),
  };
}

async function alongTraining(
  file: string,
  { model, seed, options: ofTrainer }: Training,
  objectives: readonly Objective[],
  options: Values,
  output: Output,
): Promise<AnalysisResult> {
  const sources: NamedData[] = [];
  for (const name of [file, ...(options.validate === undefined ? [] : [options.validate])]) {
    sources.push({ file: name, data: await readDataset(name, await readOptions(options, output)) });
  }
  const [data, validate] = sources.map(source => source.data);
  const progress = output.progress('training');
  const runs: ApproximationRun[] = [];
  for (const [o, objective] of objectives.entries()) {
    runs.push(
      await approximationAlongTraining({
        model,
        seed,
        options: ofTrainer,
        data: data!,
        validate,
        objective,
        match: matchOptions(options, output),
        threads: options.threads,
        note: text => output.note(text),
        onIteration: ({ iteration }, total) => progress.update(o * total + iteration, objectives.length * total),
      }),
    );
  }
  progress.finish();
  return {
    document: approximationAlong(runs),
    data: sources,
    results: runs.map(({ trained, ...run }) => ({
      ...run,
      stopped: trained.stopped,
      best: { iteration: trained.best.iteration, value: trained.best.values[0] },
    })),
    facts: { model, followed: sources.at(-1)!.file },
  };
}
