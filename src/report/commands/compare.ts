/** The page of a comparison: who is better, by how much, how surely, and on which queries. */
import type { ComparedPair, Comparison } from '../../analysis/compare.js';
import type { TestName } from '../../analysis/significance/paired.js';
import type { System } from '../../analysis/system.js';
import type { IntervalsChart, SortedBarsChart } from '../charts.js';
import { column, columns, rightColumn } from '../columns.js';
import { type CurveOptions, cutoffSection } from '../cutoff-section.js';
import type { Block, Document, Origin, Report, Section, TableBlock } from '../document.js';
import { labelsSection } from '../label-shares.js';
import { estimateOf, intervalCell } from '../mean-interval.js';
import { remark } from '../remark.js';
import { capital, confidence, count, counted, emptyQueries, listed } from '../words.js';

export interface CompareInput {
  readonly systems: readonly System[];
  readonly comparison: Comparison;
  /** Conventions of the curves; without them there are no charts of every document and query, which take a while. */
  readonly curves?: Omit<CurveOptions, 'alpha'> | undefined;
}

/**
 * What the page of a comparison is made of.
 *
 * @example
 * import { compareSystems } from 'listwise';
 * import type { ComparePage } from 'listwise/report';
 *
 * const input: ComparePage = { systems, comparison: compareSystems(systems, 'ap'), origin, title: 'May' };
 */
export interface ComparePage extends CompareInput {
  readonly origin: Origin;
  readonly title?: string | undefined;
}

const TESTS: readonly TestName[] = ['t', 'wilcoxon', 'sign', 'randomisation'];
/** Wins and losses are drawn of so many pairs, those of the best system first; the table has all. */
const DRAWN_PAIRS = 10;

/**
 * The page of a comparison.
 *
 * @example
 * import { compareSystems } from 'listwise';
 * import { comparePage, writeReport } from 'listwise/report';
 *
 * const page = comparePage({ systems, comparison: compareSystems(systems, 'ndcg@10'), origin });
 * await writeReport('compare.html', page);
 */
export function comparePage({ origin, title, ...input }: ComparePage): Report {
  const document = compareDocument(input);
  return { ...document, title: title === undefined ? document.title : `listwise: ${title}`, origin };
}

export function compareDocument(input: CompareInput): Document {
  return {
    title: `listwise: ${listed(input.comparison.systems.map(({ name }) => name))} compared`,
    verdict: compareVerdict(input.comparison),
    sections: compareSections(input),
  };
}

export function compareSections(input: CompareInput): Section[] {
  const { systems, comparison, curves } = bestFirst(input);
  const { alpha } = comparison;
  const first = comparison.systems[0]!.results[0]!;
  return [
    {
      title: 'Means',
      lead: sentences([
        `Over ${counted(systems[0]!.data.queries, 'query', 'queries')}, each with its ${confidence(alpha)} confidence interval`,
        emptyQueries(first.empty, first.measure.empty),
      ]),
      blocks: [meansChart(comparison), meansTable(comparison)],
    },
    {
      title: 'Differences',
      lead: `${decidingWords(comparison)} below ${alpha} makes a difference significant.`,
      blocks: [
        ...differenceCharts(comparison),
        differencesTable(comparison),
        remark(decision(comparison)),
        ...notes(comparison),
      ],
    },
    ...(curves === undefined ? [] : chartSections(systems, comparison, { ...curves, alpha })),
  ];
}

function chartSections(systems: readonly System[], comparison: Comparison, curves: CurveOptions): Section[] {
  const { labels } = comparison.systems[0]!.results[0]!.measure;
  const { measure } = comparison.pairs[0]!;
  const best = comparison.systems[0]!.name;
  const ofBest = (pair: ComparedPair) => Number(pair.a === best || pair.b === best);
  const ofFirst = comparison.pairs.filter(pair => pair.measure === measure).sort((a, b) => ofBest(b) - ofBest(a));
  const drawn = ofFirst.slice(0, DRAWN_PAIRS).map(pair => winsAndLosses(pair, systems, comparison));
  const domain: [number, number] = [0, 0];
  for (const { value } of drawn.flatMap(({ bars }) => bars)) {
    if (value < domain[0]) domain[0] = value;
    if (value > domain[1]) domain[1] = value;
  }
  const left = ofFirst.length - drawn.length;
  return [
    cutoffSection(systems, labels, curves),
    {
      title: 'Query by query',
      lead: `One bar a query: how far two systems are apart by ${measure}.${left > 0 ? ` ${DRAWN_PAIRS} of ${ofFirst.length} pairs can be chosen, those of ${best} first.` : ''}`,
      blocks: [
        {
          kind: 'choice',
          label: 'Pair',
          // One scale, so that pairs can be compared with each other.
          charts: drawn.map(chart => (domain[0] < domain[1] ? { ...chart, y: { ...chart.y, domain } } : chart)),
        },
      ],
    },
    ...labelsSection(systems[0]!.data, labels),
  ];
}

/** Systems by their mean of the first measure, the highest first. */
function bestFirst({ systems, comparison, ...rest }: CompareInput): CompareInput {
  const { measure } = comparison.pairs[0]!;
  const ordered = comparison.systems.toSorted((a, b) => b.means[measure]! - a.means[measure]! || 0);
  const placeOf = ({ name }: { readonly name: string }) => ordered.findIndex(system => system.name === name);
  return {
    ...rest,
    systems: systems.toSorted((a, b) => placeOf(a) - placeOf(b)),
    comparison: { ...comparison, systems: ordered },
  };
}

/** The result by the first measure, and what the others say to it, in one sentence. */
export function compareVerdict(comparison: Comparison): string {
  return comparison.systems.length === 2 ? verdictOfTwo(comparison) : verdictOfMany(comparison);
}

/** Of two systems: which of the other measures agree, see no difference, or see it the other way round. */
function otherMeasures({ pairs: [first, ...others] }: Comparison): string {
  const sign = (pair: ComparedPair) => (pair.significant ? Math.sign(pair.difference) : 0);
  const groups = [
    ['the same by', (pair: ComparedPair) => sign(pair) === sign(first!)],
    ['no difference can be claimed by', (pair: ComparedPair) => sign(pair) === 0 && sign(first!) !== 0],
    ['a difference is seen by', (pair: ComparedPair) => sign(pair) !== 0 && sign(first!) === 0],
    ['the other way round by', (pair: ComparedPair) => sign(pair) * sign(first!) < 0],
  ] as const;
  return groups
    .map(([words, belongs]) => [words, others.filter(belongs).map(({ measure }) => measure)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([words, names]) => `; ${words} ${listed(names)}`)
    .join('');
}

function verdictOfTwo(comparison: Comparison): string {
  const pair = comparison.pairs[0]!;
  const [better, worse] = pair.difference >= 0 ? [pair.a, pair.b] : [pair.b, pair.a];
  const means = `${pair.measure} ${mean(comparison, better).toFixed(3)} against ${mean(comparison, worse).toFixed(3)}`;
  const p = Math.max(...comparison.deciding.map(test => pair.adjusted[test]));
  const sure = `${testWords(comparison)}, p\u00a0${p < 0.001 ? '<\u00a00.001' : `=\u00a0${p.toFixed(3)}`}`;
  const others = otherMeasures(comparison);
  return pair.significant
    ? `${better} ranks better than ${worse}: ${means}, a difference that chance hardly explains (${sure})${others}.`
    : `No difference can be claimed between ${better} and ${worse}: ${means}, which may be chance (${sure})${others}.`;
}

/** What can be said of the system with the highest mean against those that it was compared with. */
function verdictOfMany(comparison: Comparison): string {
  const [measure, ...others] = [...new Set(comparison.pairs.map(pair => pair.measure))] as [string, ...string[]];
  const best = highest(comparison, measure);
  const against = comparison.pairs
    .filter(pair => pair.measure === measure && (pair.a === best || pair.b === best))
    .map(pair => ({ other: pair.a === best ? pair.b : pair.a, significant: pair.significant }));
  const beaten = against.filter(({ significant }) => significant).map(({ other }) => other);
  const unsure = against.filter(({ significant }) => !significant).map(({ other }) => other);
  const winners = [...new Set(others.map(other => highest(comparison, other)))];
  const parts = [
    beaten.length > 0 ? `significantly better than ${listed(beaten)}` : '',
    unsure.length > 0 ? `no difference to ${listed(unsure)} can be claimed` : '',
  ].filter(Boolean);
  const also = winners.map(name => {
    const by = listed(others.filter(other => highest(comparison, other) === name));
    return name === best ? `; highest by ${by}, too` : `; by ${by} ${name} is highest`;
  });
  return `${best} has the highest ${measure}, ${mean(comparison, best).toFixed(3)}: ${parts.join('; ')} (${testWords(comparison)})${also.join('')}.`;
}

function highest({ systems }: Comparison, measure: string): string {
  return systems.reduce((a, b) => (b.means[measure]! > a.means[measure]! ? b : a)).name;
}

function mean(comparison: Comparison, name: string): number {
  return comparison.systems.find(system => system.name === name)!.means[comparison.pairs[0]!.measure]!;
}

function testWords({ deciding }: Comparison): string {
  return deciding.length === 1 ? `${deciding[0]} test` : `${deciding.join(', ')} tests together`;
}

function decidingWords({ deciding, correction, pairs, systems }: Comparison): string {
  const several = pairs.length > systems[0]!.results.length;
  const adjusted =
    correction !== 'none' && several ? `, adjusted by ${capital(correction)} for the number of pairs,` : '';
  const tests = listed(deciding.map(test => `${test} test`));
  return `A p-value of the ${tests}${adjusted}${deciding.length > 1 ? ' all' : ''}`;
}

function meansChart({ systems, pairs, alpha }: Comparison): Section['blocks'][0] {
  const asked = [...new Set(pairs.map(pair => pair.measure))];
  return {
    kind: 'intervals',
    title: 'Means of the systems',
    x: { label: 'mean', style: 'value' },
    dots: asked.flatMap((label, m) =>
      systems.map(({ name, results }) => ({ label, series: name, ...estimateOf(results[m]!, alpha) })),
    ),
  };
}

/** Paired differences beside zero, a chart a measure; of two systems one chart has all measures. */
function differenceCharts({ pairs, alpha }: Comparison): IntervalsChart[] {
  const measures = [...new Set(pairs.map(pair => pair.measure))];
  const single = pairs.length === measures.length;
  const chart = (title: string, own: readonly ComparedPair[], label: (pair: ComparedPair) => string) =>
    ({
      kind: 'intervals',
      title,
      note: `Mean of the differences query by query, with its ${confidence(alpha)} interval.`,
      x: { label: 'difference', style: 'difference' },
      reference: 0,
      dots: own.map(pair => ({
        label: label(pair),
        series: pair.significant ? 'significant' : 'not significant',
        tone: pair.significant ? ('holds' as const) : ('theirs' as const),
        value: pair.difference,
        low: pair.interval[0],
        high: pair.interval[1],
      })),
    }) satisfies IntervalsChart;
  if (single) return [chart(`${pairs[0]!.a} less ${pairs[0]!.b}`, pairs, ({ measure }) => measure)];
  return measures.map(measure =>
    chart(
      `Differences of ${measure}`,
      pairs.filter(pair => pair.measure === measure),
      ({ a, b }) => `${a} - ${b}`,
    ),
  );
}

function meansTable({ systems, pairs, alpha }: Comparison): TableBlock {
  return {
    kind: 'table',
    title: 'Means',
    columns: [column('system'), ...columns('value', ...new Set(pairs.map(pair => pair.measure)))],
    rows: systems.map(({ name, results }) => [name, ...results.map(result => intervalCell(estimateOf(result, alpha)))]),
  };
}

export function differencesTable({ pairs, alpha }: Comparison): TableBlock {
  const between = ({ a, b }: ComparedPair) => `${a} - ${b}`;
  // Of two systems the title says it once.
  const single = new Set(pairs.map(between)).size === 1;
  return {
    kind: 'table',
    title: `Differences of means${single ? `: ${between(pairs[0]!)}` : ''}`,
    columns: [
      column('measure'),
      column('a - b', undefined, single ? { on: ['terminal'] } : {}),
      column('difference', 'difference', { interval: `${confidence(alpha)} interval` }),
      column('effect', 'value', { digits: 2 }),
      rightColumn('wins/ties/losses'),
      ...columns('p', ...TESTS.map(test => `p ${test}`)),
      column('significant', undefined, { verdict: true }),
    ],
    rows: pairs.map(pair => [
      pair.measure,
      between(pair),
      { value: pair.difference, interval: pair.interval },
      Number.isFinite(pair.effect) ? pair.effect : Number.NaN,
      `${pair.wins}/${pair.ties}/${pair.losses}`,
      ...TESTS.map(test => pair.adjusted[test]),
      pair.significant ? 'yes' : 'no',
    ]),
  };
}

function decision({ systems, pairs, deciding, alpha, correction }: Comparison): string {
  const perMeasure = pairs.length / systems[0]!.results.length;
  const adjusted =
    correction === 'holm' && perMeasure > 1
      ? `p-values adjusted by Holm for ${perMeasure} pairs a measure; intervals are wide enough to hold for all of them together (Bonferroni). `
      : '';
  const says = deciding.length > 1 ? `${deciding.join(', ')} are all` : `${deciding[0]} is`;
  return `${adjusted}Significant: adjusted p of ${says} below ${alpha}.`;
}

/** What to know about the values; the same remark about several pairs is made once on a page. */
function notes({ systems, pairs }: Comparison): Block[] {
  const remarks = new Set(pairs.flatMap(pair => pair.notes.map(note => `${pair.measure}: ${note}.`)));
  const empty = [...new Set(pairs.map(pair => pair.measure))].flatMap((asked, m) => {
    const most = Math.max(...systems.map(({ results }) => results[m]!.empty));
    const counts = systems[0]!.results[m]!.measure.empty;
    const how = counts === 'skip' ? 'left out for both systems' : `counting ${counts} for both`;
    return most === 0 ? [] : [`${asked}: empty queries: ${count(most)}, each ${how}.`];
  });
  const ofPairs = pairs.flatMap(pair => pair.notes.map(note => `${pair.measure}, ${pair.a} - ${pair.b}: ${note}.`));
  return [
    remark([...empty, ...ofPairs].join('\n')),
    ...[...remarks].map((text): Block => ({ kind: 'text', on: 'page', text })),
  ];
}

function winsAndLosses(pair: ComparedPair, systems: readonly System[], comparison: Comparison): SortedBarsChart {
  const placeOf = (name: string) => systems.findIndex(system => system.name === name);
  const valuesOf = (name: string) => {
    const s = placeOf(name);
    const { values } = comparison.systems[s]!.results[0]!;
    return new Map(systems[s]!.data.queryIds.map((query, q) => [query, values[q]!]));
  };
  const [ours, theirs] = [valuesOf(pair.a), valuesOf(pair.b)];
  return {
    kind: 'sorted-bars',
    title: `${pair.a} against ${pair.b}: ${pair.measure}`,
    y: { label: `difference of ${pair.measure}`, style: 'difference' },
    item: 'query',
    above: `${pair.a} better`,
    below: `${pair.b} better`,
    colours: [placeOf(pair.a), placeOf(pair.b)],
    bars: [...ours].map(([name, value]) => ({
      name,
      value: value - theirs.get(name)!,
      details: [
        { label: pair.a, value, style: 'value' },
        { label: pair.b, value: theirs.get(name)!, style: 'value' },
      ],
    })),
  };
}

function sentences(parts: readonly string[]): string {
  return parts
    .filter(Boolean)
    .map(part => `${capital(part)}.`)
    .join(' ');
}
