/** The page of a cross-validation: folds and their mean; where two configurations are compared, differences. */
import type { Comparison } from '../../analysis/compare.js';
import type { CrossValidation } from '../../tuning/cross-validate.js';
import type { IntervalsChart, LinesChart, SwarmChart } from '../charts.js';
import { column, rightColumn } from '../columns.js';
import type { Block, Document, Section, TableBlock } from '../document.js';
import { fixed, written } from '../numbers.js';
import { remark } from '../remark.js';
import { onPageOnly } from '../shown-on.js';
import { confidence, count, counted, listed } from '../words.js';
import { type CompareInput, compareSections, compareVerdict, differencesTable } from './compare.js';

export interface CvInput {
  /** By the names of the configurations; the first is what was asked for. */
  readonly results: readonly { readonly name: string; readonly result: CrossValidation }[];
  /** Where there are two. */
  readonly compared?: CompareInput | undefined;
  readonly alpha: number;
  /** What was trained, for the terminal: "trees, lambdarank(ndcg)". */
  readonly what: string;
}

/** Of a fold, at most. */
const SHOWN_QUERIES = 500;

export function cvDocument({ results, compared, alpha, what }: CvInput): Document {
  const { name, result } = results[0]!;
  const [measure] = Object.keys(result.mean) as [string];
  const range = rangeOf(result.interval[measure]!);
  const estimate = `${measure} ${written(result.mean[measure]!, 'value')}${range && ` (${confidence(alpha)} interval ${range})`}`;
  const own = `${name} has ${estimate} in the mean over ${counted(result.folds.length, 'fold')}, each evaluated on queries that its model did not see.`;
  const { queries, rows } = result.data;
  return {
    title: 'listwise: cross-validation',
    verdict:
      compared !== undefined
        ? compareVerdict(compared.comparison)
        : Number.isNaN(result.mean[measure]!)
          ? undefinedValues(result)[0]!
          : own,
    sections: [
      ...results.map((one, r) =>
        foldSection(
          results.length > 1 ? `: ${one.name}` : '',
          r > 0
            ? one.name
            : `${what}: ${result.folds.length} folds, ${count(queries)} queries, ${count(rows)} documents`,
          one.result,
          alpha,
        ),
      ),
      ...(compared === undefined
        ? []
        : [pairedSection(compared.comparison, queries), ...onPageOnly(compareSections(compared))]),
    ],
  };
}

/** What the terminal shows of a comparison. */
function pairedSection(comparison: Comparison, queries: number): Section {
  const { deciding, alpha } = comparison;
  return {
    title: 'Paired by query',
    blocks: [
      { ...differencesTable(comparison), on: 'terminal' },
      remark(
        `Paired over the ${count(queries)} queries, each evaluated out of fold. Significant: p of ${deciding.join(', ')} below ${alpha}.`,
      ),
    ],
  };
}

/** `of` says of which configuration, where there are two; `heading` is what the terminal says above. */
function foldSection(of: string, heading: string, result: CrossValidation, alpha: number): Section {
  const { mean, interval, data } = result;
  const names = Object.keys(mean);
  const missing = undefinedValues(result);
  return {
    title: `Folds${of}`,
    lead: `${counted(data.queries, 'query', 'queries')}, each scored by the model that did not see it. Every value has its ${confidence(alpha)} confidence interval over queries.`,
    blocks: [
      remark(heading),
      {
        kind: 'values',
        values: names.map(label => ({
          label,
          value: mean[label]!,
          style: 'value' as const,
          note: rangeOf(interval[label]!),
        })),
      },
      foldMeans(of, result),
      curvesOfFolds(of, result),
      queriesOfFolds(of, result),
      ...missing.map((text): Block => ({ kind: 'text', on: 'page', text })),
      foldTable(of, result, alpha),
      remark(missing.map(text => `-: ${text}`).join('\n')),
    ],
  };
}

/** Folds in one colour, their mean in another: which fold is which says little. */
function foldMeans(of: string, { folds, mean, interval }: CrossValidation): IntervalsChart {
  const ends = ([low, high]: readonly [number, number]) => ({ low, high });
  return {
    kind: 'intervals',
    title: `Measures of the folds${of}`,
    x: { label: 'mean over the queries of the fold', style: 'value' },
    dots: Object.keys(mean).flatMap(label => [
      { label, series: 'mean of the folds', value: mean[label]!, ...ends(interval[label]!) },
      ...folds.map(({ fold, measures, interval: own }) => ({
        label,
        series: 'a fold',
        name: `fold ${fold}`,
        value: measures[label]!,
        ...ends(own[label]!),
      })),
    ]),
  };
}

function curvesOfFolds(of: string, { folds, select }: CrossValidation): LinesChart {
  return {
    kind: 'lines',
    title: `Learning curves of the folds${of}`,
    note: 'By the measure that selects, on the queries that the best iteration is selected on.',
    x: { label: 'iteration', style: 'count' },
    y: { label: select, style: 'value' },
    series: folds.map(({ fold, curve }) => ({ name: `fold ${fold}`, x: curve.iterations, y: curve.values })),
  };
}

function queriesOfFolds(of: string, { folds, mean }: CrossValidation): SwarmChart {
  const [measure] = Object.keys(mean) as [string];
  const every = Math.ceil(Math.max(...folds.map(({ queries }) => queries)) / SHOWN_QUERIES);
  const kept = <T>(all: ArrayLike<T>) => Array.from(all).filter((_, q) => q % every === 0);
  return {
    kind: 'swarm',
    title: `Queries of the folds${of}`,
    note: every === 1 ? 'A dot a query.' : `A dot a query, one in ${every}.`,
    x: { label: measure, style: 'value' },
    item: 'query',
    rowItem: 'fold',
    rows: folds.map(({ fold, byQuery }) => {
      const known = (q: number) => !Number.isNaN(byQuery.values[q]!);
      return {
        name: String(fold),
        x: kept(byQuery.values).filter(value => !Number.isNaN(value)),
        names: kept(byQuery.queries.map((query, q) => (known(q) ? query : undefined))).filter(
          name => name !== undefined,
        ),
      };
    }),
  };
}

function foldTable(of: string, { folds, mean, interval }: CrossValidation, alpha: number): TableBlock {
  const names = Object.keys(mean);
  const level = confidence(alpha);
  const sum = (title: string, value: (name: string) => number) => [title, '', '', ...names.map(value), ''];
  return {
    kind: 'table',
    title: `Fold by fold${of}`,
    columns: [
      column('fold'),
      column('queries', 'count'),
      rightColumn('best iteration'),
      ...names.map((name, m) => column(name, 'value', { verdict: m === 0 })),
      column('seconds', 'seconds', { on: ['page'] }),
    ],
    rows: folds.map(({ fold, queries, best, iterations, measures, interval: own, seconds }) => [
      String(fold),
      queries,
      `${best.iteration} of ${iterations}`,
      ...names.map(name => ({ value: measures[name]!, interval: own[name]! })),
      seconds,
    ]),
    foot: [
      sum('mean', name => mean[name]!),
      sum(`${level} from`, name => interval[name]![0]),
      sum(`${level} to`, name => interval[name]![1]),
    ],
  };
}

/** Why values are missing, a sentence a measure; none where all are there. */
function undefinedValues({ folds, mean, interval }: Pick<CrossValidation, 'folds' | 'mean' | 'interval'>): string[] {
  return Object.keys(mean).flatMap(name => {
    const without = folds.filter(({ measures }) => Number.isNaN(measures[name]!)).map(({ fold }) => String(fold));
    if (without.length > 0) {
      const where = `${without.length === 1 ? 'fold' : 'folds'} ${listed(without)}`;
      return [`${name} is undefined for every query of ${where}, and so is its mean over the folds.`];
    }
    return Number.isNaN(interval[name]![0]) ? [`The queries are too few for an interval of ${name}.`] : [];
  });
}

function rangeOf(ends: readonly [number, number]): string {
  return ends.every(Number.isFinite) ? ends.map(end => fixed(end)).join(' to ') : '';
}
