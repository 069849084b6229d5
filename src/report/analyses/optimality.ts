/** What the alterations of models found: whether each is a local optimum of a measure. */
import { type Optimality, optimalityVerdict, type Standing } from '../../analysis/optimality/local-optimality.js';
import { histogramBins } from '../bins.js';
import type { HistogramChart, LinesChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, TableBlock } from '../document.js';
import { remark } from '../remark.js';
import { count } from '../words.js';

/** One model under one measure on one set of data. */
export interface OptimalityCase {
  readonly model: string;
  readonly data: string;
  /** As asked for. */
  readonly measure: string;
  readonly result: Optimality;
}

export function optimalityDocument(cases: readonly OptimalityCase[]): Document {
  const { random } = cases[0]!.result;
  const steps = random.alterations / random.directions;
  return {
    title: 'Local optimality',
    verdict: verdictOf(cases),
    sections: [
      {
        title: 'Alterations',
        lead: `How many of ${count(random.alterations)} alterations (${count(random.directions)} random directions, ${steps} steps each) raise the measure.`,
        blocks: [
          risesTable(cases),
          remark(
            `Rises: of ${count(random.alterations)} alterations, ${count(random.directions)} random directions at ${steps} steps; directions: how many had one. Length: of the vector of parameters.`,
          ),
          ...(cases.length === 1 ? [curveTable(cases[0]!.result)] : []),
          ...singleTable(cases),
          ...(cases.length === 1 ? [lengthText(cases[0]!.result)] : []),
        ],
      },
      {
        title: 'Along random directions',
        lead: 'How far the measure is from its learned value as the parameters move away: a line a direction, and all that is above the dashed one is a rise; the band reaches from the lowest to the highest of all directions. Beside it, how many directions gain how much at their best step.',
        blocks: cases.flatMap(one => [curves(one), bestGains(one)]),
      },
    ],
  };
}

function verdictOf(cases: readonly OptimalityCase[]): string {
  if (cases.length === 1) return optimalityVerdict(cases[0]!.measure, cases[0]!.result);
  const counted = (standing: Standing) => cases.filter(({ result }) => result.standing === standing).length;
  const [strict, within, flat] = [counted('optimum'), counted('within threshold'), counted('flat')];
  const undecided = flat === 0 ? '' : `; of ${flat} nothing can be said, since no alteration changes the measure`;
  const { threshold, epsilon, confidence } = cases[0]!.result;
  const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;
  const sure = `(${percent(confidence)} confidence that fewer than ${percent(epsilon)} of all directions improve)`;
  if (strict + within === 0)
    return `${cases.length === 2 ? 'Neither' : 'None'} of the ${cases.length} cases is a local optimum, not even to within ${threshold}${undecided}.`;
  const optima = (value: number) => `${value} ${value === 1 ? 'is a local optimum' : 'are local optima'}`;
  const parts = [
    ...(strict > 0 ? [optima(strict)] : []),
    ...(within > 0 ? [`${strict > 0 ? `${within} more` : optima(within)} to within ${threshold}`] : []),
  ];
  return `Of ${cases.length} cases ${parts.join(' and ')} ${sure}${undecided}.`;
}

export const standings: Record<Standing, string> = {
  optimum: 'yes',
  'within threshold': 'within threshold',
  'no optimum': 'no',
  flat: 'undecided',
};

function risesTable(cases: readonly OptimalityCase[]): TableBlock {
  return {
    kind: 'table',
    title: 'Rises by model, data and measure',
    columns: [
      ...columns(undefined, 'model', 'data', 'measure'),
      column('value', 'value'),
      column('length', 'general'),
      ...columns('count', 'rises', `above ${cases[0]!.result.threshold}`, 'directions'),
      column('most', 'difference'),
      column('at step', 'general', { digits: 12 }),
      column('optimum', undefined, { verdict: true }),
    ],
    rows: cases.map(({ model, data, measure, result: { value, norm, random, standing } }) => [
      model,
      data,
      measure,
      value,
      norm,
      random.improved,
      random.above,
      random.directionsImproved,
      random.best.gain,
      random.best.step,
      standings[standing],
    ]),
  };
}

/** The curves of a page as numbers. */
function curveTable({ value, steps, envelope, curves }: Optimality): Block {
  return {
    kind: 'table',
    on: 'terminal',
    title: 'Along random directions',
    columns: [
      column('step', 'general', { digits: 12 }),
      ...columns('value', 'lowest', 'mean', 'highest', ...curves.map(({ direction }) => `direction ${direction + 1}`)),
    ],
    rows: [
      [0, ...Array.from({ length: 3 + curves.length }, () => value)],
      ...envelope.map(({ low, mean, high }, k) => [
        steps[k]!,
        low,
        mean,
        high,
        ...curves.map(({ values }) => values[k]!),
      ]),
    ],
  };
}

/** What single parameters do, where they were altered one at a time. */
function singleTable(cases: readonly OptimalityCase[]): TableBlock[] {
  const rows = cases.flatMap(({ model, data, measure, result: { single } }) =>
    single === undefined
      ? []
      : [
          [
            model,
            data,
            measure,
            single.directions,
            single.directionsImproved,
            single.directionsAbove,
            single.best.gain,
            single.best.step,
            single.describe,
          ],
        ],
  );
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Parameters altered one at a time',
      columns: [
        ...columns(undefined, 'one at a time', 'data', 'measure'),
        ...columns('count', 'altered', 'raise it', `above ${cases[0]!.result.threshold}`),
        column('most', 'difference', { verdict: true }),
        column('at step', 'general', { digits: 12 }),
        column('of'),
      ],
      rows,
    },
  ];
}

function lengthText({ parameters, title, norm, length }: Optimality): Block {
  const share = norm > 0 ? `, ${Number(((100 * length) / norm).toPrecision(3))} % of that` : '';
  const text = `${count(parameters)} ${title}, together of length ${norm.toPrecision(4)}; a step of 1 has length ${Number(length.toPrecision(4))}${share}.`;
  return remark(text);
}

const caseTitle = ({ model, data, measure }: OptimalityCase) => `${measure} of ${model} on ${data}`;

/** Differences from the learned value: a rise is small beside the value itself. */
function curves(one: OptimalityCase): LinesChart {
  const { measure, result } = one;
  const { envelope, value } = result;
  const x = [0, ...result.steps];
  const changes = (values: readonly number[]) => [0, ...values.map(altered => altered - value)];
  return {
    kind: 'lines',
    title: caseTitle(one),
    x: { label: 'step' },
    y: { label: `change of ${measure}`, style: 'difference' },
    reference: 0,
    series: [
      {
        name: 'mean of all',
        x,
        y: changes(envelope.map(({ mean }) => mean)),
        low: changes(envelope.map(({ low }) => low)),
        high: changes(envelope.map(({ high }) => high)),
      },
      ...result.curves.map(({ direction, values }) => ({
        name: `direction ${direction + 1}`,
        x,
        y: changes(values),
      })),
    ],
  };
}

function bestGains(one: OptimalityCase): HistogramChart {
  const { threshold, random } = one.result;
  return {
    ...gainsOfDirections(caseTitle(one), one.measure, random.gains),
    marks: Math.max(...random.gains) >= threshold ? [{ x: threshold, label: `threshold ${threshold}` }] : [],
  };
}

/** How directions differ in the most that each gains. */
export function gainsOfDirections(of: string, measure: string, gains: readonly number[]): HistogramChart {
  return {
    kind: 'histogram',
    title: `Best gain of each direction: ${of}`,
    x: { label: `change of ${measure}`, style: 'difference' },
    y: { label: 'directions', style: 'count' },
    bins: histogramBins(gains),
  };
}
