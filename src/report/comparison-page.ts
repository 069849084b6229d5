/** The page of a comparison of two systems: who is better, by how much, how surely, and on which queries. */
import type { ComparedPair, Comparison } from '../analysis/compare.js';
import { meanInterval } from '../analysis/significance/t-test.js';
import type { Dataset } from '../data/dataset.js';
import { type Html, html, htmlTable } from './html.js';
import { labelShares, signed, winsAndLosses } from './static-charts.js';
import { renderPage } from './static-page.js';

export interface ComparisonReport {
  readonly title: string;
  readonly comparison: Comparison;
  /** What was judged on. */
  readonly data: Dataset;
  readonly origin: string;
}

export function comparisonPage({ title, comparison, data, origin }: ComparisonReport): string {
  const [a, b] = comparison.systems as [Comparison['systems'][number], Comparison['systems'][number]];
  const level = `${Number((100 * (1 - comparison.alpha)).toFixed(6))} %`;
  const first = comparison.pairs[0]!;
  const values = data.queryIds.map((query, q) => ({ query, a: a.results[0]!.values[q]!, b: b.results[0]!.values[q]! }));
  const judged = values.filter(value => !Number.isNaN(value.a) && !Number.isNaN(value.b));
  const { empty, measure } = a.results[0]!;
  return renderPage({
    title,
    verdict: verdict(comparison),
    origin,
    sections: [
      {
        title: 'Means',
        lead: `Over ${data.queries} queries, each mean with its ${level} confidence interval; ${empty} ${empty === 1 ? 'query has' : 'queries have'} no relevant document and ${measure.empty === 'skip' ? (empty === 1 ? 'is skipped' : 'are skipped') : `count${empty === 1 ? 's' : ''} ${measure.empty}`}.`,
        content: htmlTable(
          [{ title: 'measure' }, { title: a.name, number: true }, { title: b.name, number: true }],
          comparison.pairs.map((pair, m) => [
            pair.measure,
            ...[a, b].map(system => meanCell(system.results[m]!.mean, system.results[m]!.values, comparison.alpha)),
          ]),
        ),
      },
      {
        title: 'Differences',
        lead: `${capital(a.name)} minus ${b.name}. The ${testWords(comparison)} decides; the others are shown beside it.`,
        content: htmlTable(
          [
            { title: 'measure' },
            { title: 'difference', number: true },
            { title: 'wins / ties / losses', number: true },
            ...TESTS.map(test => ({ title: `p (${test})`, number: true })),
          ],
          comparison.pairs.map(pair => [
            pair.measure,
            html`${signed(pair.difference)}<br><span class="interval">${signed(pair.interval[0])} to ${signed(pair.interval[1])}</span>`,
            `${pair.wins} / ${pair.ties} / ${pair.losses}`,
            ...TESTS.map(test => pValue(pair.adjusted[test])),
          ]),
        ),
      },
      {
        title: `Query by query: ${first.measure}`,
        lead: `One bar a query: how much better ${a.name} ranks it (up) or ${b.name} (down). Point at a bar for its figures.`,
        content: winsAndLosses(judged, a.name, b.name),
      },
      {
        title: 'Labels',
        lead: `The grades of the ${data.rows.toLocaleString('en-GB')} documents judged on.`,
        content: labelShares(countLabels(data.label())),
      },
    ],
  });
}

const TESTS = ['randomisation', 't', 'wilcoxon', 'sign'] as const;

/** The first measure's result in one sentence. */
export function verdict(comparison: Comparison): string {
  const pair = comparison.pairs[0]!;
  const mean = (name: string) => comparison.systems.find(system => system.name === name)!.means[pair.measure]!;
  const [better, worse] = pair.difference >= 0 ? [pair.a, pair.b] : [pair.b, pair.a];
  const figures = `${pair.measure} ${mean(better).toFixed(3)} against ${mean(worse).toFixed(3)}`;
  const p = Math.max(...comparison.deciding.map(test => pair.adjusted[test]));
  const sure = `${testWords(comparison)}, p\u00a0${p < 0.001 ? '<\u00a00.001' : `=\u00a0${p.toFixed(3)}`}`;
  return pair.significant
    ? `${capital(better)} ranks better than ${worse}: ${figures}, a difference that chance hardly explains (${sure}).`
    : `No difference can be claimed between ${better} and ${worse}: ${figures}, which may be chance (${sure}).`;
}

function testWords({ deciding }: Comparison): string {
  return deciding.length === 1 ? `${deciding[0]} test` : `${deciding.join(', ')} tests together`;
}

function meanCell(mean: number, values: Float64Array, alpha: number): Html {
  const [low, high] = meanInterval(
    values.filter(value => !Number.isNaN(value)),
    alpha,
  );
  return html`${mean.toFixed(4)}<br><span class="interval">${low.toFixed(4)} to ${high.toFixed(4)}</span>`;
}

function pValue(p: ComparedPair['p'][(typeof TESTS)[number]]): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

export function countLabels(labels: Float64Array): { value: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([x], [y]) => x - y).map(([value, count]) => ({ value, count }));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
