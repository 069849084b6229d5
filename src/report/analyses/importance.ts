/** How much each feature matters: by permutation, by the model itself. */
import type { Drop } from '../../analysis/importance.js';
import type { Ranker } from '../../models/ranker.js';
import type { BarsChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, Section, TableBlock } from '../document.js';
import { featureImportance } from '../feature-importance.js';
import { fixed } from '../numbers.js';
import { remark } from '../remark.js';
import { count } from '../words.js';

export interface Permutation {
  /** For each feature of the model, the drop of every measure. */
  readonly drops: readonly (readonly Drop[])[];
  /** The measures as they were asked for. */
  readonly asked: readonly string[];
  readonly repeats: number;
  /** Among which documents values were shuffled, in words. */
  readonly among: string;
}

export interface FeatureRow {
  readonly feature: string;
  readonly splits?: number;
  readonly gain?: number;
  readonly drops?: readonly Drop[];
}

/** By the drop of the first measure, or else by gain. */
export function featureRows(model: Ranker, permutation: Permutation | undefined): FeatureRow[] {
  const use = model.splitUse?.();
  const weight = ({ drops, gain }: FeatureRow) => (drops?.[0]?.mean ?? gain) || 0; // NaN where no query counts
  return model.featureNames
    .map((feature, f) => ({
      feature,
      ...(use && { splits: use.splits[f]!, gain: use.gain[f]! }),
      ...(permutation && { drops: permutation.drops[f]! }),
    }))
    .sort((a, b) => weight(b) - weight(a));
}

export function importanceDocument(
  file: string,
  model: Ranker,
  permutation: Permutation | undefined,
  first: TableBlock['first'],
): Document {
  return {
    title: `what ${file} looks at`,
    verdict: importanceVerdict(model, permutation),
    sections: [
      { title: 'Features', blocks: featuresTable(model, permutation, first) },
      ...importanceSections(model, permutation),
    ],
  };
}

export function importanceSections(model: Ranker, permutation: Permutation | undefined): Section[] {
  const own = featureImportance(model);
  return [
    ...(permutation === undefined ? [] : [shuffled(model.featureNames, permutation)]),
    ...(own === undefined
      ? []
      : [{ title: 'By the model itself', lead: 'What training made of the features.', blocks: [own] }]),
  ];
}

/** The bars of a page as numbers. */
function featuresTable(model: Ranker, permutation: Permutation | undefined, first: TableBlock['first']): Block[] {
  const rows = featureRows(model, permutation);
  const { asked = [], repeats = 0, among = '' } = permutation ?? {};
  const withSplits = rows.some(({ splits }) => splits !== undefined);
  const total = rows.reduce((sum, { gain = 0 }) => sum + gain, 0) || 1;
  const table: Block = {
    kind: 'table',
    on: 'terminal',
    title: 'Features',
    columns: [
      column('feature'),
      ...(withSplits ? [column('splits', 'count'), column('gain', 'significant'), column('share', 'percent')] : []),
      ...asked.flatMap(measure => columns('value', `drop of ${measure}`, '±')),
    ],
    rows: rows.map(({ feature, splits = 0, gain = 0, drops = [] }) => [
      feature,
      ...(withSplits ? [splits, gain, gain / total] : []),
      ...drops.flatMap(({ mean, deviation }) => [mean, deviation]),
    ]),
    first,
  };
  if (permutation === undefined) return [table];
  const text = `Without shuffling: ${unshuffled(permutation)}. Each feature shuffled ${among}, ${count(repeats)} times; ± is the standard deviation over these.`;
  return [table, remark(text)];
}

function unshuffled({ asked, drops }: Permutation): string {
  return asked.map((measure, m) => `${measure} ${fixed(drops[0]?.[m]?.value ?? Number.NaN)}`).join(', ');
}

/** The most important feature, in one sentence. */
export function importanceVerdict(model: Ranker, permutation: Permutation | undefined): string {
  if (permutation !== undefined) {
    const [best] = dropBars(model.featureNames, permutation, 0);
    if (best === undefined) return 'The model has no features.';
    if (!(best.value > 0)) return `No feature matters: shuffled, none of them costs any ${permutation.asked[0]}.`;
    return `Feature ${best.name} matters most: shuffled, it costs ${fixed(best.value)} of ${permutation.asked[0]}.`;
  }
  const best = featureImportance(model)?.bars[0];
  if (best === undefined) return 'The model cannot tell by itself what matters.';
  return `Feature ${best.name} matters most to this ${model.kind} model.`;
}

function shuffled(names: readonly string[], permutation: Permutation): Section {
  const { asked, repeats, among } = permutation;
  return {
    title: 'By permutation',
    lead: `How much a measure drops when a feature is shuffled ${among}, ${repeats} times. Without shuffling: ${unshuffled(permutation)}.`,
    blocks: asked.map(
      (measure, m): BarsChart => ({
        kind: 'bars',
        title: `Drop of ${measure}`,
        ...(repeats > 1 && { note: 'Whiskers are one standard deviation over the shuffles.' }),
        x: { label: `drop of ${measure}`, style: 'value' },
        item: 'feature',
        bars: dropBars(names, permutation, m),
      }),
    ),
  };
}

function dropBars(names: readonly string[], { drops }: Permutation, m: number): BarsChart['bars'] {
  return names
    .map((name, f) => {
      const { mean, deviation } = drops[f]![m]!;
      const whisker = Number.isNaN(deviation) ? {} : { low: mean - deviation, high: mean + deviation };
      return { name, value: mean, ...whisker };
    })
    .sort((a, b) => (b.value || 0) - (a.value || 0));
}
