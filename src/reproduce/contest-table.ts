/** The table of a contest: the paper's values beside ours. */
import { column, columns } from '../report/columns.js';
import type { TableBlock } from '../report/document.js';
import { written } from '../report/numbers.js';
import type { Contested, Deciding } from './contest.js';

/**
 * `printed` is the paper's value of a measure tested and an entrant, where it has one; without it there is no column
 * for them. `tests` are the tests whose p-values stand in the table.
 */
export function contestTable(
  title: string,
  contests: readonly Contested[],
  printed: ((measure: number, entrant: number) => string | undefined) | undefined,
  tests: Deciding,
): TableBlock {
  const shown = tests === 't' ? (['t'] as const) : (['t', 'wilcoxon', 'sign'] as const);
  return {
    kind: 'table',
    title,
    columns: [
      ...columns(undefined, 'tested on', 'trained for'),
      ...(printed ? [{ title: 'paper' }] : []),
      ...columns('value', 'here', 'standard error'),
      column('difference', 'difference'),
      column('95 % interval'),
      ...shown.map(test => ({ title: `p (${test})`, style: 'p' as const })),
      column('better on', 'count'),
    ],
    rows: contests.flatMap(({ measure, results }, m) =>
      results.map(({ name, mean, error, against }, e) => [
        measure,
        name,
        ...(printed ? [printed(m, e) ?? ''] : []),
        mean,
        error,
        against?.difference ?? Number.NaN,
        against ? against.interval.map(end => written(end, 'difference')).join(' to ') : '',
        ...shown.map(test => against?.p[test] ?? Number.NaN),
        against?.better ?? Number.NaN,
      ]),
    ),
  };
}
