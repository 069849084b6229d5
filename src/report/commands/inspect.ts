/** The page of a data set: its size, its labels, its queries, its features and what is odd about them. */
import type { Dataset } from '../../data/dataset.js';
import { decidingSource, type FeatureSummary, type Inspection } from '../../data/inspect.js';
import type { SingleFeature } from '../../training/baselines/single-features.js';
import { histogramBins } from '../bins.js';
import type { BarsChart, HistogramChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, Origin, Report, TableBlock, TableColumn, ValuesBlock } from '../document.js';
import { featureByLabel } from '../feature-by-label.js';
import { type FeatureProfile, featureProfiles, SAMPLE_ROWS } from '../feature-profile.js';
import { labelShares } from '../label-shares.js';
import { remark } from '../remark.js';
import { singleFeaturesSection } from '../single-features.js';
import { count, counted, listed } from '../words.js';

export interface InspectInput {
  readonly inspection: Inspection;
  /** Of which features and queries are drawn; without it there are no charts of them, which take a while. */
  readonly data?: Dataset | undefined;
  /** Every feature as a ranking, where that was asked for. */
  readonly alone?: readonly SingleFeature[] | undefined;
  /** How many features the terminal shows. */
  readonly first?: TableBlock['first'];
  readonly title?: string | undefined;
  /** Called with the share done. */
  onProgress?(share: number): void;
}

/**
 * What the page of a data set is made of.
 *
 * @example
 * import { inspectDataset } from 'listwise';
 * import type { InspectPage } from 'listwise/report';
 *
 * const input: InspectPage = { inspection: inspectDataset(data), data, origin, title: 'Training data' };
 */
export interface InspectPage extends InspectInput {
  readonly data: Dataset;
  readonly origin: Origin;
}

/** Distributions are drawn of the features that go most with the label. */
const DRAWN_FEATURES = 6;

/**
 * The page of a data set.
 *
 * @example
 * import { inspectDataset } from 'listwise';
 * import { inspectPage } from 'listwise/report';
 *
 * const page = inspectPage({ inspection: inspectDataset(data), data, origin });
 */
export function inspectPage({ origin, ...input }: InspectPage): Report {
  return { ...inspectDocument(input), origin };
}

export function inspectDocument(input: InspectInput): Document {
  const { data, inspection, alone, first, title = 'Data', onProgress } = input;
  const source = data && decidingSource(data);
  const labels = source === undefined ? undefined : data!.label(source);
  const profiles = data && featureProfiles(data, labels, onProgress);
  const { features } = inspection;
  const shares = Object.entries(inspection.labels).map(
    ([name, counts]): Block => ({ ...labelShares(`Documents by ${name}`, counts, name), on: 'both' }),
  );
  return {
    title: `listwise: ${title}`,
    verdict: verdict(inspection),
    sections: [
      { title: 'Size', blocks: [{ ...sizes(inspection), on: 'both' }] },
      ...(shares.length === 0 ? [] : [{ title: 'Labels', lead: 'How often each label occurs.', blocks: shares }]),
      ...(data === undefined
        ? []
        : [
            {
              title: 'Queries',
              lead: 'How long the lists are, and how much there is to find.',
              blocks: queryCharts(data, labels),
            },
          ]),
      {
        title: 'Features',
        lead: `A feature that goes with the label by itself is a good one; one that does not may still be good together with others.${sampled(inspection)}`,
        blocks: [
          ...(profiles === undefined ? [] : featureCharts(inspection, profiles, source)),
          features.length === 0 ? remark('no features') : { ...featureTable(features, profiles), first },
        ],
      },
      ...(alone === undefined || alone.length === 0 ? [] : [singleFeaturesSection(alone, first)]),
    ],
  };
}

function verdict({ queries, documents, features, emptyQueries, duplicateRows }: Inspection): string {
  const constant = features.filter(feature => feature.constant).length;
  const missing = features.filter(feature => feature.missing > 0).length;
  const same = features.filter(({ sameAs }) => sameAs !== undefined).length;
  const within = features.filter(({ constantInQueries }) => constantInQueries).length;
  const odd = [
    emptyQueries > 0 ? `${counted(emptyQueries, 'query has', 'queries have')} no label above 0` : '',
    constant > 0 ? `${counted(constant, 'feature is', 'features are')} constant` : '',
    within > 0 ? `${counted(within, 'feature is', 'features are')} constant within every query` : '',
    same > 0 ? `${counted(same, 'feature repeats', 'features repeat')} another` : '',
    missing > 0 ? `${counted(missing, 'feature has', 'features have')} missing values` : '',
    duplicateRows > 0 ? `${counted(duplicateRows, 'row repeats', 'rows repeat')} another of the same query` : '',
  ].filter(Boolean);
  const size = `${counted(queries, 'query', 'queries')} with ${counted(documents, 'document')} and ${counted(features.length, 'feature')}`;
  return `${size}${odd.length === 0 ? '; nothing is odd' : `: ${listed(odd)}`}.`;
}

function sizes({ queries, documents, perQuery, features, emptyQueries, duplicateRows }: Inspection): ValuesBlock {
  const counts = (pairs: Readonly<Record<string, number>>) =>
    Object.entries(pairs).map(([label, value]) => ({ label, value, style: 'count' as const }));
  return {
    kind: 'values',
    title: 'data',
    values: [
      ...counts({ queries, documents, 'documents a query: fewest': perQuery.min }),
      { label: 'documents a query: mean', value: perQuery.mean, style: 'value', digits: 1 },
      ...counts({
        'documents a query: most': perQuery.max,
        'queries without a label above 0': emptyQueries,
        'rows that repeat one of their query': duplicateRows,
        features: features.length,
        'features that are constant': features.filter(({ constant }) => constant).length,
        'features with missing values': features.filter(({ missing }) => missing > 0).length,
      }),
    ],
  };
}

function queryCharts(data: Dataset, labels: Float64Array | undefined): HistogramChart[] {
  const perQuery = (of: (from: number, to: number) => number) =>
    Float64Array.from({ length: data.queries }, (_, q) => of(data.offsets[q]!, data.offsets[q + 1]!));
  const chart = (what: string, values: Float64Array): HistogramChart => ({
    kind: 'histogram',
    title: `Queries by ${what}`,
    x: { label: what, style: 'count' },
    y: { label: 'queries', style: 'count' },
    bins: histogramBins(values, { whole: true }),
  });
  const sizes = chart(
    'number of documents',
    perQuery((from, to) => to - from),
  );
  if (labels === undefined) return [sizes];
  const found = perQuery((from, to) => labels.subarray(from, to).filter(label => label > 0).length);
  return [sizes, chart('documents labelled above 0', found)];
}

function sampled({ documents }: Inspection): string {
  if (documents <= SAMPLE_ROWS) return '';
  return ` Quartiles, correlations and pictures are of ${count(SAMPLE_ROWS)} documents.`;
}

function featureCharts(
  { features, documents }: Inspection,
  profiles: readonly FeatureProfile[],
  source: string | undefined,
): Block[] {
  const order = [...features.keys()]
    .filter(f => !Number.isNaN(profiles[f]!.correlation))
    .sort((a, b) => Math.abs(profiles[b]!.correlation) - Math.abs(profiles[a]!.correlation));
  return [
    ...(order.length === 0 || source === undefined ? [] : [correlations(features, profiles, order, source)]),
    ...missingShares(features, documents),
    ...order
      .slice(0, DRAWN_FEATURES)
      .map(f => featureByLabel(features[f]!.name, profiles[f]!.sample, profiles[f]!.labels)),
  ];
}

function correlations(
  features: readonly FeatureSummary[],
  profiles: readonly FeatureProfile[],
  order: readonly number[],
  source: string,
): BarsChart {
  return {
    kind: 'bars',
    title: `Features by their correlation with ${source}`,
    note: 'Over all documents, whatever their query.',
    x: { label: 'correlation', style: 'value' },
    item: 'feature',
    shown: 12,
    bars: order.map(f => ({ name: features[f]!.name, value: profiles[f]!.correlation })),
  };
}

function missingShares(features: readonly FeatureSummary[], documents: number): BarsChart[] {
  const some = features.filter(({ missing }) => missing > 0).sort((a, b) => b.missing - a.missing);
  if (some.length === 0) return [];
  return [
    {
      kind: 'bars',
      title: 'Features with missing values',
      x: { label: 'share of documents', style: 'percent', domain: [0, 1] },
      item: 'feature',
      shown: 12,
      bars: some.map(({ name, missing }) => ({
        name,
        value: missing / documents,
        details: [{ label: 'documents', value: missing, style: 'count' }],
      })),
    },
  ];
}

function featureTable(
  features: readonly FeatureSummary[],
  profiles: readonly FeatureProfile[] | undefined,
): TableBlock {
  const numbers = (...titles: string[]) => titles.map(title => column(title, 'general', { digits: 6 }));
  const ofPage = (columns: readonly TableColumn[]) =>
    profiles === undefined ? [] : columns.map(own => ({ ...own, on: ['page'] as const }));
  // Where there is nothing to remark, the column would be empty.
  const remarks = features.map(remarkOf);
  const remarked = remarks.some(Boolean);
  return {
    kind: 'table',
    title: 'All features',
    columns: [
      ...columns(undefined, 'feature'),
      ...numbers('min'),
      ...ofPage(numbers('quarter', 'median', 'three quarters')),
      ...numbers('max'),
      ...ofPage(columns('value', 'correlation')),
      column('missing', 'count'),
      ...(remarked ? [column('remark')] : []),
    ],
    rows: features.map(({ name, min, max, missing, written }, f) => {
      const profile = profiles?.[f];
      return [
        name,
        written?.min ?? wholeNumber(min),
        ...(profile?.quartiles ?? []),
        written?.max ?? wholeNumber(max),
        ...(profile === undefined ? [] : [profile.correlation]),
        missing,
        ...(remarked ? [remarks[f]!] : []),
      ];
    }),
  };
}

function remarkOf({ constant, constantInQueries, sameAs }: FeatureSummary): string {
  if (constant) return 'constant';
  return [sameAs === undefined ? '' : `the same as ${sameAs}`, constantInQueries ? 'constant within every query' : '']
    .filter(Boolean)
    .join('; ');
}

/** Whole numbers as they are in the data, however many digits they have. */
function wholeNumber(value: number): number | string {
  return Number.isSafeInteger(value) && Math.abs(value) >= 1e6 ? String(value) : value;
}
