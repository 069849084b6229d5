/** Shapley values of many documents: features, a swarm, how values depend on features, pairs. */
import type { FeatureShap, Shap } from '../../analysis/shap.js';
import type { ScatterChart, ScatterPoint, SwarmChart } from '../charts.js';
import { column } from '../columns.js';
import type { Block, Document, Section, TableBlock } from '../document.js';
import { fixed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted } from '../words.js';
import { type LevelPlaces, levelPlaces, levelSeries } from './level-places.js';

/** What a page draws: more dots say no more, and make it large. */
const SHOWN = { swarmFeatures: 20, dependences: 4, dots: 400, pairFeatures: 12 };

export interface ShapPage {
  readonly file: string;
  readonly shap: Shap;
  /** Of each explained document. */
  readonly documents: readonly string[];
  /** Features whose dependence is drawn; the first ones where none is named. */
  readonly dependences: readonly string[];
  readonly first: TableBlock['first'];
}

export function shapDocument(page: ShapPage): Document {
  const { shap, file } = page;
  return {
    title: `what features add to the scores of ${file}`,
    verdict: shapVerdict(shap),
    sections: [
      { title: 'Features', lead: howSaid(shap), blocks: [featuresTable(page), remark(howSaid(shap)), swarm(page)] },
      dependence(page),
      ...(shap.interactions ? [pairs(shap, page.first)] : []),
    ],
  };
}

export function shapVerdict({ features, base, rows }: Shap): string {
  const [most] = features;
  if (most === undefined || most.mean === 0) return `No feature changes any score: all are ${fixed(base)}.`;
  return `Scores move most with feature ${most.feature}: by ${fixed(most.mean)} on average over ${counted(rows.length, 'document')}, from ${fixed(base)}.`;
}

const unknown: Readonly<Record<Shap['how'], string>> = {
  paths: 'the ways that training documents went in each tree stand for a feature that is not known',
  mean: 'the training mean stands for a feature that is not known',
  background: 'the values of background documents stand for a feature that is not known',
};

function howSaid({ how, base }: Shap): string {
  return `Shapley values: what a feature adds to the score of a document, on average over all orders in which features become known; with the base, ${fixed(base)}, the values of a document add up to its score. Here ${unknown[how]}. Direction is the correlation of a feature with its values; a category has none.`;
}

function featuresTable({ shap, first }: ShapPage): Block {
  const used = shap.features.filter(({ mean }) => mean > 0);
  return {
    kind: 'table',
    title: 'Features',
    columns: [
      column('feature'),
      column('mean |value|', 'significant'),
      column('share', 'percent'),
      column('direction', 'difference', { digits: 2 }),
    ],
    rows: used.map(({ feature, mean, share, direction }) => [feature, mean, share, direction]),
    first,
  };
}

/** Every so many-th document, so that pages stay small. */
function drawn(n: number): number[] {
  const step = Math.max(1, Math.ceil(n / SHOWN.dots));
  return Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
}

const short = (value: number) => Number(value.toPrecision(5));

function columnsOf({ shap }: ShapPage, feature: string, chosen: readonly number[]) {
  const { featureNames, block, values } = shap;
  const f = featureNames.indexOf(feature);
  const levels = shap.levels[feature];
  return {
    own: chosen.map(i => short(block.data[f * block.stride + i]!)),
    levels: levels && chosen.map(i => levels[i]!),
    adds: chosen.map(i => short(values[i * (featureNames.length + 1) + f]!)),
  };
}

function swarm(page: ShapPage): SwarmChart {
  const { shap, documents } = page;
  const chosen = drawn(shap.rows.length);
  const used = shap.features.filter(({ mean }) => mean > 0).slice(0, SHOWN.swarmFeatures);
  return {
    kind: 'swarm',
    title: 'Shapley values by document',
    note: `A dot is a document${chosen.length < documents.length ? ` (${count(chosen.length)} of ${count(documents.length)})` : ''}; its colour says whether the feature is low or high there, among the documents.${used.some(({ feature }) => shap.levels[feature]) ? ' Levels of a category have no order: their dots have one colour.' : ''}`,
    x: { label: 'adds to the score', style: 'difference' },
    item: 'document',
    rowItem: 'feature',
    names: chosen.map(i => documents[i]!),
    rows: used.map(({ feature }) => {
      const { own, levels, adds } = columnsOf(page, feature, chosen);
      return { name: feature, x: adds, ...(levels ? { texts: levels } : { values: own }) };
    }),
  };
}

function dependence(page: ShapPage): Section {
  const { shap, dependences } = page;
  const used = shap.features.filter(({ mean }) => mean > 0).map(({ feature }) => feature);
  const features = dependences.length > 0 ? dependences : used.slice(0, SHOWN.dependences);
  return {
    title: 'Dependence',
    lead: 'What each value of a feature adds; where dots of one value spread, other features matter to it.',
    blocks: features.map(feature => scatter(page, feature)),
  };
}

function scatter(page: ShapPage, feature: string): ScatterChart {
  const { shap, documents } = page;
  const chosen = drawn(shap.rows.length);
  const { own, levels, adds } = columnsOf(page, feature, chosen);
  const places = levels && levelPlaces(levels, adds);
  const partner = partnerOf(shap, feature);
  const other = partner === undefined ? undefined : columnsOf(page, partner, chosen);
  const series = other?.levels && levelSeries(other.levels);
  const note = [
    ...(partner === undefined ? [] : [`Feature ${partner} is the one that it acts together with most.`]),
    ...left(places, own),
  ].join(' ');
  const points = chosen.map((i, k) => ({
    name: documents[i]!,
    x: places?.of[k] ?? own[k]!,
    y: adds[k]!,
    ...(series ? { series: series.of[k]! } : other && { shade: other.own[k]! }),
  }));
  // A legend names series as they come.
  const place = ({ series: own = '' }: ScatterPoint) => series?.names.indexOf(own) ?? 0;
  const label = `feature ${feature}`;
  return {
    kind: 'scatter',
    title: `Feature ${feature}`,
    x: places ? { label, texts: places.texts, domain: [-0.5, places.texts.length - 0.5] } : { label },
    y: { label: 'adds to the score', style: 'difference' },
    item: 'document',
    ...(partner !== undefined && !series && { shade: { label: `feature ${partner}` } }),
    ...(note !== '' && { note }),
    points: points.filter(({ x }) => !Number.isNaN(x)).sort((a, b) => place(a) - place(b)),
  };
}

/** What is not drawn. */
function left(places: LevelPlaces | undefined, own: readonly number[]): string[] {
  if (places !== undefined) {
    const { texts, different } = places;
    return different > texts.length ? [`Its ${texts.length} most frequent levels of ${different} are drawn.`] : [];
  }
  const missing = own.filter(Number.isNaN).length;
  return missing > 0 ? [`${counted(missing, 'document')} without it are not drawn.`] : [];
}

/** The feature that it interacts with most, where that was looked at. */
function partnerOf({ interactions = [] }: Shap, feature: string): string | undefined {
  const found = interactions.find(({ features }) => features.includes(feature));
  return found?.features.find(name => name !== feature);
}

function pairs({ interactions = [], features }: Shap, first: TableBlock['first']): Section {
  const byMean = new Map(interactions.map(({ features: [a, b], mean }) => [`${a}\n${b}`, mean]));
  const names = features
    .filter(({ mean }: FeatureShap) => mean > 0)
    .slice(0, SHOWN.pairFeatures)
    .map(({ feature }) => feature);
  const of = (a: string, b: string) => byMean.get(`${a}\n${b}`) ?? byMean.get(`${b}\n${a}`) ?? 0;
  const lead =
    'What two features add together, beyond what each adds: the mean size over the documents of both halves of their interaction.';
  return {
    title: 'Interactions',
    lead,
    blocks: [
      {
        kind: 'heat-map',
        title: 'Interactions of the first features',
        rowLabel: 'feature',
        columnLabel: 'with feature',
        rows: names,
        columns: names,
        values: names.map(a => names.map(b => (a === b ? Number.NaN : of(a, b)))),
        valueLabel: 'mean |interaction|',
        style: 'general',
      },
      {
        kind: 'table',
        title: 'Interactions',
        columns: [column('feature'), column('with feature'), column('mean |interaction|', 'significant')],
        rows: interactions.map(({ features: [a, b], mean }) => [a, b, mean]),
        first,
      },
      remark(lead),
    ],
  };
}
