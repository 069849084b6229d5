/**
 * The page of a cross-validation: every fold and their mean, and where two configurations are compared, their
 * differences.
 */
import type { CrossValidation } from '../tuning/cross-validate.js';
import { type ComparePage, compareSections, compareVerdict } from './compare-page.js';
import { written } from './numbers.js';
import type { Origin, Report, Section } from './page.js';
import { confidence, counted, listed } from './words.js';

export interface CvPage {
  /** By the names of the configurations; the first is what was asked for. */
  readonly results: readonly { readonly name: string; readonly result: CrossValidation }[];
  /** Where there are two. */
  readonly compared?: Omit<ComparePage, 'origin' | 'title'> | undefined;
  readonly alpha: number;
  readonly origin: Origin;
}

export function cvPage({ results, compared, alpha, origin }: CvPage): Report {
  const { name, result } = results[0]!;
  const [measure] = Object.keys(result.mean) as [string];
  const range = rangeOf(result.interval[measure]!);
  const figure = `${measure} ${written(result.mean[measure]!, 'value')}${range && ` (${confidence(alpha)} interval ${range})`}`;
  const own = `${name} has ${figure} in the mean over ${counted(result.folds.length, 'fold')}, each judged on queries that its model did not see.`;
  return {
    title: 'listwise: cross-validation',
    verdict:
      compared !== undefined
        ? compareVerdict(compared.comparison)
        : Number.isNaN(result.mean[measure]!)
          ? undefinedFigures(result)[0]!
          : own,
    sections: [
      ...results.map(one => foldSection(results.length > 1 ? `: ${one.name}` : '', one.result, alpha)),
      ...(compared === undefined ? [] : compareSections(compared)),
    ],
    origin,
  };
}

/** `of` says of which configuration, where there are two. */
function foldSection(of: string, { folds, mean, interval, data }: CrossValidation, alpha: number): Section {
  const names = Object.keys(mean);
  return {
    title: `Folds${of}`,
    lead: `${counted(data.queries, 'query', 'queries')}, each judged by the model that did not see it. Every figure has its ${confidence(alpha)} confidence interval over queries.`,
    blocks: [
      {
        kind: 'figures',
        figures: names.map(label => ({
          label,
          value: mean[label]!,
          style: 'value' as const,
          note: rangeOf(interval[label]!),
        })),
      },
      {
        kind: 'intervals',
        title: `Measures of the folds${of}`,
        x: { label: 'mean over the queries of the fold', style: 'value' },
        dots: names.flatMap(label =>
          folds.map(({ fold, measures, interval: own }) => ({
            label,
            series: `fold ${fold}`,
            value: measures[label]!,
            low: own[label]![0],
            high: own[label]![1],
          })),
        ),
      },
      ...undefinedFigures({ folds, mean, interval }).map(text => ({ kind: 'text' as const, text })),
      {
        kind: 'table',
        title: `Fold by fold${of}`,
        columns: [
          { title: 'fold', style: 'count' },
          { title: 'queries', style: 'count' },
          { title: 'best iteration', style: 'count' },
          { title: 'iterations', style: 'count' },
          ...names.map(title => ({ title, style: 'value' as const })),
          { title: 'seconds', style: 'seconds' },
        ],
        rows: folds.map(({ fold, queries, best, iterations, measures, interval: own, seconds }) => [
          fold,
          queries,
          best.iteration,
          iterations,
          ...names.map(name => ({ value: measures[name]!, note: rangeOf(own[name]!) })),
          seconds,
        ]),
      },
    ],
  };
}

/** Why figures are missing, a sentence a measure; none where all are there. */
export function undefinedFigures({
  folds,
  mean,
  interval,
}: Pick<CrossValidation, 'folds' | 'mean' | 'interval'>): string[] {
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
  return ends.every(Number.isFinite) ? ends.map(end => end.toFixed(4)).join(' to ') : '';
}
