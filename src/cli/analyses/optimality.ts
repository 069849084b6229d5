import {
  localOptimality,
  type Optimality,
  optimalityVerdict,
  randomised,
  type Standing,
} from '../../analysis/optimality/local-optimality.js';
import { readDataset } from '../../data/read/read.js';
import { isModelFile, openModel } from '../../interop/open-model.js';
import type { Ranker } from '../../models/ranker.js';
import type { Section } from '../../report/page.js';
import { usage } from '../command/option.js';
import type { OptimalityLine } from '../declarations/analyses/optimality.js';
import type { Output } from '../output.js';
import type { NamedData } from '../report-option.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readJudging } from '../settings/judging.js';
import { count, fixed, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

/** One model under one measure on one set of data. */
interface Case {
  readonly model: string;
  readonly data: string;
  /** As asked for. */
  readonly measure: string;
  readonly result: Optimality;
}

export async function optimality(line: OptimalityLine, output: Output): Promise<AnalysisResult> {
  const { inputs, options } = line;
  const judging = await readJudging(options, output);
  const settings = readSettings(options);
  const { models, data } = await readInputs(inputs, options, output);
  const rankers = models.flatMap(({ file, model }) => [
    { file, model },
    ...(options.control ? [{ file: `${file}, random`, model: randomised(model, settings.seed) }] : []),
  ]);
  const cases: Case[] = [];
  const progress = output.progress('altering');
  const runs = rankers.flatMap(ranker => data.map(set => ({ ranker, set })));
  const measures = judging.measures.map(({ measure }) => measure.spec);
  for (const [r, { ranker, set }] of runs.entries()) {
    const results = await localOptimality(ranker.model, set.data, measures, {
      ...settings,
      ...matchOptions(options, output),
      ties: judging.ties,
      modules: options.load,
      progress: (done, total) => progress.update(r * total + done, runs.length * total),
    });
    for (const [m, result] of results.entries()) {
      cases.push({ model: ranker.file, data: set.file, measure: judging.measures[m]!.asked, result });
    }
  }
  progress.finish();
  for (const text of shortSteps(cases)) output.note(text);
  const verdict = verdictOf(cases);
  return {
    verdict,
    facts: { ...settings, directions: cases[0]!.result.random.directions, threads: undefined },
    results: cases.map(toJson),
    text: () => printText(cases),
    page: { title: 'Local optimality', data, sections: () => sections(cases) },
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
  const data: NamedData[] = [];
  for (const file of inputs) {
    if (await isModelFile(file)) models.push({ file, model: await openModel(file, { note }) });
    else data.push({ file, data: await readDataset(file, readOptions(options, output)) });
  }
  if (models.length > 0 && data.length > 0) return { models, data };
  throw usage(`give at least one model file and one DATA, found ${models.length} and ${data.length}`);
}

function verdictOf(cases: readonly Case[]): string {
  if (cases.length === 1) return optimalityVerdict(cases[0]!.measure, cases[0]!.result);
  const counted = (standing: Standing) => cases.filter(({ result }) => result.standing === standing).length;
  const [strict, within, flat] = [counted('optimum'), counted('within threshold'), counted('flat')];
  const untold = flat === 0 ? '' : `; of ${flat} nothing can be told, since no alteration changes the measure`;
  const { threshold, epsilon, confidence } = cases[0]!.result;
  const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;
  const sure = `(${percent(confidence)} confidence that fewer than ${percent(epsilon)} of all directions improve)`;
  if (strict + within === 0)
    return `${cases.length === 2 ? 'Neither' : 'None'} of the ${cases.length} cases is a local optimum, not even to within ${threshold}${untold}.`;
  const optima = (value: number) => `${value} ${value === 1 ? 'is a local optimum' : 'are local optima'}`;
  const parts = [
    ...(strict > 0 ? [optima(strict)] : []),
    ...(within > 0 ? [`${strict > 0 ? `${within} more` : optima(within)} to within ${threshold}`] : []),
  ];
  return `Of ${cases.length} cases ${parts.join(' and ')} ${sure}${untold}.`;
}

/** Below this share of the length of the parameters the longest step tells little. */
const SHORT = 0.1;

/** One note a model whose parameters are so long that the steps hardly change its rankings. */
function shortSteps(cases: readonly Case[]): string[] {
  const notes = cases.flatMap(({ model, result: { norm, length, steps, title } }) => {
    const share = (length * Math.max(...steps)) / norm;
    if (!(share < SHORT)) return [];
    return `${model}: the longest step is ${Number((100 * share).toPrecision(2))} % of the length of the ${title}, ${norm.toPrecision(4)}; such steps hardly change a ranking, so both rises and their absence tell little (--relative takes steps as shares of the length)`;
  });
  return [...new Set(notes)];
}

function toJson({ model, data, measure, result }: Case): Record<string, unknown> {
  const { measure: _, ...rest } = result;
  return { model, data, measure, ...rest, verdict: optimalityVerdict(measure, result) };
}

const standings: Record<Standing, string> = {
  optimum: 'yes',
  'within threshold': 'within threshold',
  'no optimum': 'no',
  flat: 'untold',
};

function printText(cases: readonly Case[]): string {
  const { random, threshold, parameters, title, norm, length } = cases[0]!.result;
  const parts = [
    table(
      [
        { title: 'model' },
        { title: 'data' },
        { title: 'measure' },
        ...['value', 'length', 'rises', `above ${threshold}`, 'directions', 'most', 'at step'].map(right),
        { title: 'optimum' },
      ],
      cases.map(({ model, data, measure, result }) => [
        model,
        data,
        measure,
        fixed(result.value),
        String(Number(result.norm.toPrecision(4))),
        count(result.random.improved),
        count(result.random.above),
        count(result.random.directionsImproved),
        signed(result.random.best.gain),
        String(result.random.best.step),
        standings[result.standing],
      ]),
    ),
    `Rises: of ${count(random.alterations)} alterations, ${count(random.directions)} random directions at ${random.alterations / random.directions} steps; directions: how many had one. Length: of the vector of parameters.`,
  ];
  if (cases.length === 1) parts.push(curveTable(cases[0]!.result));
  const singles = cases.filter(({ result }) => result.single !== undefined);
  if (singles.length > 0) parts.push(singleTable(singles));
  if (cases.length === 1) {
    const share = norm > 0 ? `, ${Number(((100 * length) / norm).toPrecision(3))} % of that` : '';
    parts.push(
      `${count(parameters)} ${title}, together of length ${norm.toPrecision(4)}; a step of 1 has length ${Number(length.toPrecision(4))}${share}.`,
    );
  }
  return parts.join('\n\n');
}

function curveTable({ value, steps, envelope, curves }: Optimality): string {
  return table(
    ['step', 'lowest', 'mean', 'highest', ...curves.map(({ direction }) => `direction ${direction + 1}`)].map(right),
    [
      ['0', ...Array.from({ length: 3 + curves.length }, () => fixed(value))],
      ...envelope.map(({ low, mean, high }, k) => [
        String(steps[k]!),
        ...[low, mean, high, ...curves.map(({ values }) => values[k]!)].map(figure => fixed(figure)),
      ]),
    ],
  );
}

function singleTable(cases: readonly Case[]): string {
  return table(
    [
      { title: 'one at a time' },
      { title: 'data' },
      { title: 'measure' },
      ...['altered', 'raise it', `above ${cases[0]!.result.threshold}`, 'most', 'at step'].map(right),
      { title: 'of' },
    ],
    cases.map(({ model, data, measure, result: { single } }) => [
      model,
      data,
      measure,
      count(single!.directions),
      count(single!.directionsImproved),
      count(single!.directionsAbove),
      signed(single!.best.gain),
      String(single!.best.step),
      single!.describe,
    ]),
  );
}

function sections(cases: readonly Case[]): Section[] {
  const { random, threshold } = cases[0]!.result;
  return [
    {
      title: 'Alterations',
      lead: `How many of ${count(random.alterations)} alterations (${count(random.directions)} random directions, ${random.alterations / random.directions} steps each) raise the measure.`,
      blocks: [
        {
          kind: 'table',
          title: 'Rises by model, data and measure',
          columns: [
            { title: 'model' },
            { title: 'data' },
            { title: 'measure' },
            { title: 'value', style: 'value' as const },
            { title: 'length', style: 'general' as const },
            ...['rises', `above ${threshold}`, 'directions'].map(title => ({ title, style: 'count' as const })),
            { title: 'most', style: 'difference' as const },
            { title: 'local optimum' },
          ],
          rows: cases.map(({ model, data, measure, result: { value, norm, random: own, standing } }) => [
            model,
            data,
            measure,
            value,
            norm,
            own.improved,
            own.above,
            own.directionsImproved,
            own.best.gain,
            standings[standing],
          ]),
        },
        ...singleBlocks(cases),
      ],
    },
    {
      title: 'Along random directions',
      lead: 'The measure as the parameters move away: a line a direction, and all that is above the dashed one is a rise; the band reaches from the lowest to the highest of all directions.',
      blocks: cases.map(({ model, data, measure, result }) => {
        const x = [0, ...result.steps];
        const { envelope, value } = result;
        return {
          kind: 'lines' as const,
          title: `${measure} of ${model} on ${data}`,
          x: { label: 'step' },
          y: { label: measure, style: 'value' as const },
          reference: value,
          series: [
            {
              name: 'mean of all',
              x,
              y: [value, ...envelope.map(({ mean }) => mean)],
              low: [value, ...envelope.map(({ low }) => low)],
              high: [value, ...envelope.map(({ high }) => high)],
            },
            ...result.curves.map(({ direction, values }) => ({
              name: `direction ${direction + 1}`,
              x,
              y: [value, ...values],
            })),
          ],
        };
      }),
    },
  ];
}

/** What single parameters do, where they were altered one at a time. */
function singleBlocks(cases: readonly Case[]): Section['blocks'] {
  const altered = cases.flatMap(({ model, data, measure, result: { single } }) =>
    single === undefined ? [] : [{ model, data, measure, single }],
  );
  if (altered.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Parameters altered one at a time',
      columns: [
        ...['model', 'data', 'measure'].map(title => ({ title })),
        ...['altered', 'raise it', `above ${cases[0]!.result.threshold}`].map(title => ({
          title,
          style: 'count' as const,
        })),
        { title: 'most', style: 'difference' as const },
        { title: 'of' },
      ],
      rows: altered.map(({ model, data, measure, single }) => [
        model,
        data,
        measure,
        single.directions,
        single.directionsImproved,
        single.directionsAbove,
        single.best.gain,
        single.describe,
      ]),
    },
  ];
}
