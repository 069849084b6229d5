/** The page of a cross-validation: every fold and their mean, and where two configurations are compared, their differences. */
import type { CrossValidation } from '../tuning/cross-validate.js';
import { type ComparePage, compareSections, compareVerdict } from './compare-page.js';
import type { Origin, Report, Section } from './page.js';
import { confidence, counted } from './words.js';

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
  const [low, high] = result.interval[measure]!;
  const own = `${name}: ${measure} ${result.mean[measure]!.toFixed(4)} (${confidence(alpha)}: ${low.toFixed(4)} to ${high.toFixed(4)}) out of ${counted(result.folds.length, 'fold')}.`;
  return {
    title: 'listwise: cross-validation',
    verdict: compared === undefined ? own : compareVerdict(compared.comparison),
    sections: [
      ...results.map(one => foldSection(one.name, one.result, alpha)),
      ...(compared === undefined ? [] : compareSections(compared)),
    ],
    origin,
  };
}

function foldSection(name: string, { folds, mean, interval, data }: CrossValidation, alpha: number): Section {
  const names = Object.keys(mean);
  return {
    title: `Folds: ${name}`,
    lead: `${counted(data.queries, 'query', 'queries')}, each judged by the model that did not see it. Every figure has its ${confidence(alpha)} confidence interval over queries.`,
    blocks: [
      {
        kind: 'figures',
        figures: names.map(label => ({
          ...{ label, value: mean[label]!, style: 'value' as const },
          note: rangeOf(interval[label]!),
        })),
      },
      {
        kind: 'table',
        title: 'Fold by fold',
        columns: [
          { title: 'fold', style: 'count' },
          { title: 'queries', style: 'count' },
          { title: 'best iteration', style: 'count' },
          { title: 'iterations', style: 'count' },
          ...names.map(title => ({ title, style: 'value' as const })),
          { title: 'seconds', style: 'seconds' },
        ],
        rows: folds.map(({ fold, queries, best, iterations, measures, interval: own, seconds }) => [
          ...[fold, queries, best.iteration, iterations],
          ...names.map(name => ({ value: measures[name]!, note: rangeOf(own[name]!) })),
          seconds,
        ]),
      },
    ],
  };
}

function rangeOf(ends: readonly [number, number]): string {
  return ends.every(Number.isFinite) ? ends.map(end => end.toFixed(4)).join(' to ') : '';
}
