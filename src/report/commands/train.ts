/** The page of a training run: how it went, what was kept, what the model looks at, where the time went. */
import type { IterationRecord } from '../../training/iteration-record.js';
import type { Trained } from '../../training/train.js';
import type { Stopped } from '../../training/trainer.js';
import type { LineMark, LineSeries, LinesChart } from '../charts.js';
import { diagnosticCharts } from '../diagnostics.js';
import type { Block, Document, LabelledValue, Origin, Report, Section, ValuesBlock } from '../document.js';
import { featureImportance } from '../feature-importance.js';
import { learnedSections } from '../learned.js';
import { fixed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted, duration } from '../words.js';

export interface TrainInput {
  readonly trained: Trained;
  /** How long reading the data took. */
  readonly loadSeconds?: number | undefined;
  readonly title?: string | undefined;
}

/**
 * What the page of a training run is made of.
 *
 * @example
 * import { train } from 'listwise';
 * import type { TrainPage } from 'listwise/report';
 *
 * const input: TrainPage = { trained: await train({ model: 'linear', data }), origin, title: 'May' };
 */
export interface TrainPage extends TrainInput {
  readonly origin: Origin;
}

/** The colour of values on the data that selects. */
const SELECTING = 1;

/** In a sentence of its own, and in brackets. */
const ends: Record<Stopped, { readonly said: string; readonly short: string }> = {
  finished: { said: 'all iterations were done', short: 'all iterations done' },
  'no improvement': { said: 'training stopped early, since nothing better came', short: 'stopped early' },
  interrupted: { said: 'training was interrupted', short: 'interrupted' },
  diverged: { said: 'training diverged; a lower rate would go on', short: 'diverged; a lower rate would go on' },
};

/**
 * The page of a training run; `report(trained)` makes its HTML in one call.
 *
 * @example
 * import { train } from 'listwise';
 * import { trainPage } from 'listwise/report';
 *
 * const page = trainPage({ trained: await train({ model: 'linear', data }), origin });
 */
export function trainPage({ origin, ...input }: TrainPage): Report {
  return { ...trainDocument(input), origin };
}

export function trainDocument({ title = 'Training', ...input }: TrainInput): Document {
  return { title: `listwise: ${title}`, verdict: trainVerdict(input.trained), sections: trainSections(input) };
}

export function trainVerdict({ best, iterations, select, selectedOn, stopped, refitted }: Trained): string {
  const values = best.values.map(value => value.toFixed(4)).join(' and ');
  const on = counted(selectedOn.queries, `${selectedOn.data} query`, `${selectedOn.data} queries`);
  const at = best.iteration === 0 ? 'before the first iteration' : `at iteration ${count(best.iteration)}`;
  return `${select} reaches ${values} on ${on}, ${at} of ${count(iterations)}; ${ends[stopped].said}.${refitted === undefined ? '' : ` The model was then trained on all ${counted(refitted.queries, 'query', 'queries')}, to iteration ${count(refitted.iteration)}.`}`;
}

export function trainSections({ trained, loadSeconds }: TrainInput): Section[] {
  const { log, model } = trained;
  const diagnostics = diagnosticCharts(log);
  const importance = featureImportance(model);
  return [
    {
      title: 'Learning curves',
      lead: `${trained.refitted === undefined ? 'The model kept is the one of' : 'These are of the run that found'} the best iteration by ${trained.select}, on ${trained.selectedOn.data} queries.${otherMeasures(trained).length > 0 ? ' Other measures are of the same queries.' : ''}`,
      close: true,
      blocks: [
        remark(outcome(trained)),
        remark(refitWords(trained)),
        outcomeValues(trained),
        ...learningCurves(trained),
        remark(otherWords(trained)),
      ],
    },
    ...learnedSections(trained.learned ?? [], log),
    ...section('Along the way', 'What each iteration worked on.', courseCharts(log)),
    ...section('Diagnostics', 'How lambdas and rankings changed from iteration to iteration.', diagnostics),
    ...section('Features', 'What the kept model looks at.', importance === undefined ? [] : [importance]),
    timing(trained, loadSeconds),
  ];
}

function outcome(trained: Trained): string {
  const { trainer, objective, best, keeps, iterations, stopped, seconds, select, selectedOn } = trained;
  // Where all iterations belong together, an earlier one may have been better by the measure.
  const kept =
    keeps === 'last' ? `the last of ${iterations} iterations` : `best of ${iterations} iterations is ${best.iteration}`;
  const values = best.values.map(value => fixed(value)).join(' ');
  const on = counted(selectedOn.queries, `${selectedOn.data} query`, `${selectedOn.data} queries`);
  return `${trainer}, ${objective ?? 'no objective'}: ${kept}, ${select} ${values} on ${on} (${ends[stopped].short}, ${duration(1000 * (seconds.bin + seconds.train))})`;
}

function refitWords({ refitted }: Trained): string {
  if (refitted === undefined) return '';
  const { iteration, queries } = refitted;
  return `refitted: trained again on all ${counted(queries, 'query', 'queries')} to iteration ${count(iteration)}`;
}

function otherWords(trained: Trained): string {
  const values = Object.entries(bestMeasures(trained)).map(([name, value]) => `${name} ${fixed(value)}`);
  return values.length === 0 ? '' : `at iteration ${trained.best.iteration}: ${values.join(', ')}`;
}

/** The other measures at the best iteration; none where that was before the first. */
export function bestMeasures({ log, best }: Trained): Readonly<Record<string, number>> {
  return log.find(({ iteration }) => iteration === best.iteration)?.measures ?? {};
}

/** Nothing where there is nothing to show. */
function section(title: string, lead: string, blocks: Section['blocks']): Section[] {
  return blocks.length === 0 ? [] : [{ title, lead, blocks }];
}

function outcomeValues(trained: Trained): ValuesBlock {
  const { log, best, iterations, selectMeasures, objective, queries, selectedOn } = trained;
  const [pairs, ...others] = distinctPairs(log);
  return {
    kind: 'values',
    values: [
      { label: 'best iteration', value: best.iteration, style: 'count', note: `of ${count(iterations)}` },
      ...best.values.map((value, m) => ({ label: selectMeasures[m]!, value, style: 'value' as const })),
      ...otherValues(trained),
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
function otherValues(trained: Trained): LabelledValue[] {
  const measures = bestMeasures(trained);
  return otherMeasures(trained)
    .filter(label => label in measures)
    .map(label => ({ label, value: measures[label]!, style: 'value' }));
}

/** Those that do not select as well. */
function otherMeasures({ measures, selectMeasures }: Trained): string[] {
  return measures.filter(name => !selectMeasures.includes(name));
}

/** One chart a selecting measure, then one for each of the others; iterations that were not evaluated are left out. */
function learningCurves(trained: Trained): Block[] {
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
        // What the best iteration was selected by is drawn on a terminal too.
      ]).map((block): Block => (m === 0 ? { ...block, on: 'both' } : block)),
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
    // What stays the same needs no picture: pairs are then among the values, the rate is among the options.
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
      { kind: 'values', values: parts.map(part => ({ ...part, style: 'seconds' as const })) },
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

/** A value of the log by iteration, where there is one. */
export function seriesOf(
  name: string,
  log: readonly IterationRecord[],
  of: (record: IterationRecord) => number | undefined,
): LineSeries {
  const known = log.filter(record => of(record) !== undefined);
  return { name, x: known.map(({ iteration }) => iteration), y: known.map(record => of(record)!) };
}
