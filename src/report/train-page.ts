/** The page of a training run: how it went, what was kept, what the model looks at, where the time went. */

import type { IterationRecord } from '../training/iteration-record.js';
import type { Trained } from '../training/train.js';
import type { Stopped } from '../training/trainer.js';
import type { LineMark, LineSeries, LinesChart } from './charts.js';
import { diagnosticCharts } from './diagnostics.js';
import { featureImportance } from './feature-importance.js';
import type { Figure, FiguresBlock, Origin, Report, Section } from './page.js';
import { count, counted } from './words.js';

export interface TrainPage {
  readonly trained: Trained;
  readonly origin: Origin;
  /** How long reading the data took. */
  readonly loadSeconds?: number | undefined;
  readonly title?: string | undefined;
}

/** The colour of figures on the data that selects. */
const SELECTING = 1;

const ends: Record<Stopped, string> = {
  finished: 'all iterations were done',
  'no improvement': 'training stopped early, since nothing better came',
  interrupted: 'training was interrupted',
  diverged: 'training diverged; a lower rate would go on',
};

export function trainPage(input: TrainPage): Report {
  const { trained, origin, title = 'Training' } = input;
  return { title: `listwise: ${title}`, verdict: trainVerdict(trained), sections: trainSections(input), origin };
}

export function trainVerdict({ best, iterations, select, selectedOn, stopped }: Trained): string {
  const values = best.values.map(value => value.toFixed(4)).join(' and ');
  const on = counted(selectedOn.queries, `${selectedOn.data} query`, `${selectedOn.data} queries`);
  const at = best.iteration === 0 ? 'before the first iteration' : `at iteration ${count(best.iteration)}`;
  return `${select} reaches ${values} on ${on}, ${at} of ${count(iterations)}; ${ends[stopped]}.`;
}

export function trainSections({ trained, loadSeconds }: Omit<TrainPage, 'origin' | 'title'>): Section[] {
  const { log, model } = trained;
  const diagnostics = diagnosticCharts(log);
  const importance = featureImportance(model);
  return [
    {
      title: 'Learning curves',
      lead: `The model kept is the one of the best iteration by ${trained.select}, on ${trained.selectedOn.data} queries.${otherMeasures(trained).length > 0 ? ' Other measures are of the same queries.' : ''}`,
      blocks: [figures(trained), ...learningCurves(trained)],
    },
    ...section('Along the way', 'What each iteration worked on.', courseCharts(log)),
    ...section('Diagnostics', 'How lambdas and rankings changed from iteration to iteration.', diagnostics),
    ...section('Features', 'What the kept model looks at.', importance === undefined ? [] : [importance]),
    timing(trained, loadSeconds),
  ];
}

/** Nothing where there is nothing to show. */
function section(title: string, lead: string, blocks: Section['blocks']): Section[] {
  return blocks.length === 0 ? [] : [{ title, lead, blocks }];
}

function figures(trained: Trained): FiguresBlock {
  const { log, best, iterations, selectMeasures, objective, queries, selectedOn } = trained;
  const [pairs, ...others] = distinctPairs(log);
  return {
    kind: 'figures',
    figures: [
      { label: 'best iteration', value: best.iteration, style: 'count', note: `of ${count(iterations)}` },
      ...best.values.map((value, m) => ({ label: selectMeasures[m]!, value, style: 'value' as const })),
      ...otherFigures(trained),
      ...(selectedOn.data === 'training'
        ? []
        : [{ label: 'training queries', value: queries, style: 'count' as const }]),
      { label: `${selectedOn.data} queries`, value: selectedOn.queries, style: 'count', note: 'to select on' },
      ...(pairs === undefined || others.length > 0
        ? []
        : [{ label: 'pairs with a lambda', value: pairs, style: 'count' as const, note: 'in every iteration' }]),
      ...(objective === undefined ? [] : [{ label: 'objective', value: objective }]),
    ],
  };
}

/** Of the other measures at the best iteration. */
function otherFigures(trained: Trained): Figure[] {
  const { log, best } = trained;
  const measures = log.find(({ iteration }) => iteration === best.iteration)?.measures;
  return measures === undefined
    ? []
    : otherMeasures(trained).map(label => ({
        label,
        value: measures[label]!,
        style: 'value',
      }));
}

/** Those that do not select as well. */
function otherMeasures({ measures, selectMeasures }: Trained): string[] {
  return measures.filter(name => !selectMeasures.includes(name));
}

/** One chart a selecting measure, then one for each of the others; what was not judged in an iteration is left out. */
function learningCurves(trained: Trained): LinesChart[] {
  const { log, selectMeasures, best, selectedOn } = trained;
  const marks: LineMark[] = [
    ...(best.iteration > 0 ? [{ x: best.iteration, label: `best: ${count(best.iteration)}` }] : []),
    ...log.flatMap(({ iteration, event }) => (event === undefined ? [] : [{ x: iteration, label: event }])),
  ];
  const after = selectedOn.data === 'training' ? 'training, after the iteration' : selectedOn.data;
  const chart = (measure: string, all: readonly LineSeries[]): LinesChart[] => {
    const series = all.filter(({ x }) => x.length > 0);
    if (series.length === 0) return [];
    const x = { label: 'iteration', style: 'count' } as const;
    const y = { label: measure, style: 'value' } as const;
    return [{ kind: 'lines', title: `${measure} by iteration`, x, y, series, marks }];
  };
  return [
    ...selectMeasures.flatMap((measure, m) =>
      chart(measure, [
        seriesOf('training', log, record => record.training[m]),
        { ...seriesOf(after, log, record => record.validation[m]), colour: SELECTING },
      ]),
    ),
    ...otherMeasures(trained).flatMap(measure =>
      chart(measure, [{ ...seriesOf(after, log, ({ measures }) => measures?.[measure]), colour: SELECTING }]),
    ),
  ];
}

function courseCharts(log: readonly IterationRecord[]): LinesChart[] {
  const x = { label: 'iteration', style: 'count' } as const;
  const chart = (title: string, of: (record: IterationRecord) => number, style: 'general' | 'count'): LinesChart => ({
    kind: 'lines',
    title,
    x,
    y: { label: title.toLowerCase(), style },
    series: [seriesOf(title.toLowerCase(), log, of)],
  });
  const rates = new Set(log.map(({ rate }) => rate));
  const pairs = distinctPairs(log);
  return [
    ...(log.some(({ cost }) => !Number.isNaN(cost)) ? [chart('Cost of a query', ({ cost }) => cost, 'general')] : []),
    // What stays the same needs no picture: pairs are then among the figures, the rate is among the options.
    ...(pairs.size > 1 ? [chart('Pairs with a lambda', record => record.pairs, 'count')] : []),
    ...(rates.size > 1 ? [chart('Rate', ({ rate }) => rate, 'general')] : []),
  ];
}

function distinctPairs(log: readonly IterationRecord[]): Set<number> {
  return new Set(log.map(({ pairs }) => pairs));
}

function timing({ log, seconds }: Trained, load: number | undefined): Section {
  const parts = [
    ...(load === undefined ? [] : [{ label: 'reading data', value: load }]),
    { label: 'making data ready', value: seconds.bin },
    { label: 'training', value: seconds.train },
  ];
  return {
    title: 'Time',
    blocks: [
      { kind: 'figures', figures: parts.map(part => ({ ...part, style: 'seconds' as const })) },
      {
        kind: 'lines',
        title: 'Seconds an iteration',
        x: { label: 'iteration', style: 'count' },
        y: { label: 'seconds', style: 'seconds' },
        series: [seriesOf('seconds', log, record => record.seconds)],
      },
    ],
  };
}

/** A figure of the log by iteration, where there is one. */
export function seriesOf(
  name: string,
  log: readonly IterationRecord[],
  of: (record: IterationRecord) => number | undefined,
): LineSeries {
  const known = log.filter(record => of(record) !== undefined);
  return { name, x: known.map(({ iteration }) => iteration), y: known.map(record => of(record)!) };
}
