import {
  type ApproximationAtScores,
  type ApproximationRun,
  approximationAlongTraining,
  approximationOf,
  approximationSteps,
  variedSpecs,
} from '../../analysis/approximation.js';
import { readDataset } from '../../data/read/read.js';
import { openModel } from '../../interop/open-model.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import type { Objective } from '../../objectives/objective.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import type { Section } from '../../report/page.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import { type ApproximationLine, DEFAULT_OBJECTIVE } from '../declarations/analyses/approximation.js';
import type { Output } from '../output.js';
import type { NamedData } from '../report-option.js';
import { matchOptions, readOptions, scoringOptions } from '../settings/data.js';
import { readTraining, type Training } from '../settings/training.js';
import { count, fixed, right, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

/** Iterations shown in the terminal. */
const SHOWN = 12;

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
  const data = await readDataset(file, readOptions(options, output));
  const scoring = scoringOptions(options, output);
  const scores = await scoreDataOnThreads(model, data, scoring.threads, scoring);
  const progress = output.shares('judging');
  const found: (ApproximationAtScores & { objective: string })[] = [];
  for (const [o, objective] of objectives.entries()) {
    const steps = approximationSteps(objective, data, scores);
    const error = await inTurns(steps, share => progress((o + share) / objectives.length));
    found.push({ objective: objective.spec, ...error });
  }
  const columns = ['exact', 'smooth', 'error', 'largest'];
  const figures = (one: ApproximationAtScores) => [one.exact, one.smooth, one.error, one.worst.error];
  return {
    verdict: nearest(
      `At the scores of ${modelFile}`,
      found.map(({ objective, error }) => ({ objective, error })),
    ),
    results: found.map(({ errors, ...one }) => ({
      ...one,
      perQuery: data.queryIds.map((query, q) => ({ query, error: errors[q] })),
    })),
    text: () =>
      [
        table(
          [{ title: 'objective' }, ...columns.map(right), { title: 'in query' }],
          found.map(one => [one.objective, ...figures(one).map(value => fixed(value)), one.worst.query]),
        ),
        `Over ${count(found[0]!.queries)} queries. Error: the mean of |smooth - exact|.`,
      ].join('\n\n'),
    page: {
      title: 'Error of approximation',
      data: [{ file, data }],
      sections: () => [
        {
          title: 'By objective',
          lead: 'How far the smooth version is from the measure itself: the mean over queries of |smooth − exact|.',
          blocks: [
            {
              kind: 'bars',
              title: 'Error by objective',
              x: { label: 'mean |smooth − exact|', style: 'value' },
              item: 'objective',
              bars: found.map(one => ({ name: one.objective, value: one.error })),
            },
            {
              kind: 'table',
              title: 'Smooth against exact',
              columns: [
                { title: 'objective' },
                ...columns.map(title => ({ title, style: 'value' as const })),
                { title: 'in query' },
              ],
              rows: found.map(one => [one.objective, ...figures(one), one.worst.query]),
            },
          ],
        },
      ],
    },
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
    sources.push({ file: name, data: await readDataset(name, readOptions(options, output)) });
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
    verdict: verdictOf(runs),
    results: runs.map(({ trained, ...run }) => ({
      ...run,
      stopped: trained.stopped,
      best: { iteration: trained.best.iteration, value: trained.best.values[0] },
    })),
    facts: { model, followed: sources.at(-1)!.file },
    text: () => printText(runs),
    page: { title: 'Error of approximation along training', data: sources, sections: () => sections(runs) },
  };
}

function verdictOf(runs: readonly ApproximationRun[]): string {
  return nearest(
    'In the end',
    runs.map(({ objective, iterations }) => ({ objective, error: iterations.at(-1)?.error ?? Number.NaN })),
  );
}

/** The objectives that follow their measure best and worst, in one sentence. */
function nearest(when: string, errors: readonly { objective: string; error: number }[]): string {
  const sorted = [...errors].sort((a, b) => a.error - b.error);
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const off = `${best.objective} is off by ${fixed(best.error)} in the mean over queries`;
  if (errors.length === 1) return `${when}, ${off}.`;
  return `${when}, ${off}, the least of ${errors.length}; ${worst.objective} by ${fixed(worst.error)}, the most.`;
}

/** Iterations of the longest run, thinned out. */
function printText(runs: readonly ApproximationRun[]): string {
  const all = [...new Set(runs.flatMap(({ iterations }) => iterations.map(({ iteration }) => iteration)))];
  all.sort((a, b) => a - b);
  const rows = Math.min(SHOWN, all.length);
  const shown = Array.from(
    { length: rows },
    (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(1, rows - 1))]!,
  );
  const parts = [
    table(
      [right('iteration'), ...runs.map(({ objective }) => right(objective))],
      shown.map(iteration => [
        String(iteration),
        ...runs.map(({ iterations }) =>
          fixed(iterations.find(one => one.iteration === iteration)?.error ?? Number.NaN),
        ),
      ]),
    ),
    table(
      [{ title: 'objective' }, { title: 'measure' }, ...['exact', 'smooth', 'error', 'iterations'].map(right)],
      runs.map(({ objective, measure, iterations }) => {
        const { exact, smooth, error } = iterations.at(-1) ?? {
          exact: Number.NaN,
          smooth: Number.NaN,
          error: Number.NaN,
        };
        return [objective, measure, fixed(exact), fixed(smooth), fixed(error), count(iterations.length)];
      }),
    ),
    'Above: error, the mean over queries of |smooth - exact|, after each iteration. Below: after the last.',
  ];
  return parts.join('\n\n');
}

function sections(runs: readonly ApproximationRun[]): Section[] {
  const line = (name: string, { iterations }: ApproximationRun, figure: 'error' | 'exact' | 'smooth') => ({
    name,
    x: iterations.map(({ iteration }) => iteration),
    y: iterations.map(one => one[figure]),
  });
  return [
    {
      title: 'Error',
      lead: 'The mean over queries of |smooth − exact|, after each iteration.',
      blocks: [
        {
          kind: 'lines',
          title: 'Error by iteration',
          x: { label: 'iteration', style: 'count' },
          y: { label: 'mean |smooth − exact|', style: 'value' },
          series: runs.map(run => line(run.objective, run, 'error')),
        },
      ],
    },
    {
      title: 'Smooth and exact',
      lead: 'What training climbs, and the measure itself.',
      blocks: runs.map(run => ({
        kind: 'lines' as const,
        title: run.objective,
        x: { label: 'iteration', style: 'count' as const },
        y: { label: run.measure, style: 'value' as const },
        series: (['exact', 'smooth'] as const).map(figure => line(figure, run, figure)),
      })),
    },
  ];
}
