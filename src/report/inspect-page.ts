/** The page of a data set: its size, its labels, its queries, its features and what is odd about them. */
import type { Dataset } from '../data/dataset.js';
import { type FeatureSummary, type Inspection, judgedSource } from '../data/inspect.js';
import { histogramBins } from './bins.js';
import type { BarsChart, HistogramChart } from './charts.js';
import { type FeatureProfile, featureProfiles, SAMPLE_ROWS } from './feature-profile.js';
import { labelShares } from './label-shares.js';
import type { Origin, Report, Section, TableBlock } from './page.js';
import { count, counted, listed } from './words.js';

export interface InspectPage {
  readonly data: Dataset;
  readonly inspection: Inspection;
  readonly origin: Origin;
  readonly title?: string | undefined;
  /** Told the share done, which takes a while for many features. */
  onProgress?(share: number): void;
}

/** Distributions are drawn of the features that go most with the label. */
const DRAWN_FEATURES = 6;

export function inspectPage({ data, inspection, origin, title = 'Data', onProgress }: InspectPage): Report {
  const source = judgedSource(data);
  const labels = source === undefined ? undefined : data.label(source);
  const profiles = featureProfiles(data, labels, onProgress);
  return {
    title: `listwise: ${title}`,
    verdict: verdict(inspection),
    sections: [
      { title: 'Size', blocks: [figures(inspection)] },
      ...(data.labels.size === 0
        ? []
        : [
            {
              title: 'Labels',
              lead: 'How often each label occurs.',
              blocks: Object.entries(inspection.labels).map(([name, counts]) =>
                labelShares(`Documents by ${name}`, counts),
              ),
            },
          ]),
      {
        title: 'Queries',
        lead: 'How long the lists are, and how much there is to find.',
        blocks: queryCharts(data, labels),
      },
      ...(inspection.features.length === 0 ? [] : [featuresSection(inspection, profiles, source, data.rows)]),
    ],
    origin,
  };
}

function verdict({ queries, documents, features, emptyQueries, duplicateRows }: Inspection): string {
  const constant = features.filter(feature => feature.constant).length;
  const missing = features.filter(feature => feature.missing > 0).length;
  const odd = [
    emptyQueries > 0 ? `${counted(emptyQueries, 'query has', 'queries have')} no label above 0` : '',
    constant > 0 ? `${counted(constant, 'feature is', 'features are')} constant` : '',
    missing > 0 ? `${counted(missing, 'feature has', 'features have')} missing values` : '',
    duplicateRows > 0 ? `${counted(duplicateRows, 'row repeats', 'rows repeat')} another of the same query` : '',
  ].filter(Boolean);
  const size = `${counted(queries, 'query', 'queries')} with ${counted(documents, 'document')} and ${counted(features.length, 'feature')}`;
  return `${size}${odd.length === 0 ? '; nothing is odd' : `: ${listed(odd)}`}.`;
}

function figures({
  queries,
  documents,
  perQuery,
  features,
  emptyQueries,
  duplicateRows,
}: Inspection): Section['blocks'][0] {
  return {
    kind: 'figures',
    figures: [
      { label: 'queries', value: queries, style: 'count' },
      { label: 'documents', value: documents, style: 'count' },
      {
        label: 'documents a query',
        value: Number(perQuery.mean.toFixed(1)),
        note: `${count(perQuery.min)} to ${count(perQuery.max)}`,
      },
      { label: 'features', value: features.length, style: 'count' },
      { label: 'queries without a label above 0', value: emptyQueries, style: 'count' },
      { label: 'repeated rows', value: duplicateRows, style: 'count' },
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

function featuresSection(
  { features, documents }: Inspection,
  profiles: readonly FeatureProfile[],
  source: string | undefined,
  rows: number,
): Section {
  const sampled =
    rows > SAMPLE_ROWS ? ` Quartiles, correlations and pictures are of ${count(SAMPLE_ROWS)} documents.` : '';
  const order = [...features.keys()]
    .filter(f => !Number.isNaN(profiles[f]!.correlation))
    .sort((a, b) => Math.abs(profiles[b]!.correlation) - Math.abs(profiles[a]!.correlation));
  return {
    title: 'Features',
    lead: `A feature that goes with the label by itself is a good one; one that does not may still be good together with others.${sampled}`,
    blocks: [
      ...(order.length === 0 || source === undefined ? [] : [correlations(features, profiles, order, source)]),
      ...missingShares(features, documents),
      ...order.slice(0, DRAWN_FEATURES).map(f => distribution(features[f]!.name, profiles[f]!)),
      featureTable(features, profiles, documents),
    ],
  };
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

function distribution(name: string, { sample }: FeatureProfile): HistogramChart {
  return {
    kind: 'histogram',
    title: `Feature ${name}`,
    x: { label: 'value' },
    y: { label: 'documents', style: 'count' },
    bins: histogramBins(sample, { count: 30 }),
  };
}

function featureTable(
  features: readonly FeatureSummary[],
  profiles: readonly FeatureProfile[],
  documents: number,
): TableBlock {
  const numbers = ['min', 'quarter', 'median', 'three quarters', 'max'];
  return {
    kind: 'table',
    title: 'All features',
    columns: [
      { title: 'feature' },
      ...numbers.map(title => ({ title, style: 'general' as const })),
      { title: 'correlation', style: 'value' },
      { title: 'missing', style: 'percent' },
      { title: 'remark' },
    ],
    rows: features.map(({ name, min, max, missing, constant }, f) => {
      const { quartiles, correlation } = profiles[f]!;
      return [name, min, ...quartiles, max, correlation, missing / documents, constant ? 'constant' : ''];
    }),
  };
}
