/** Why each model has one document of a query above another. */
import type { RankedDocument, TreeOfPair, WhyOfPair } from '../../analysis/why-documents.js';
import { few } from '../../errors.js';
import type { WaterfallChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, Section, TableBlock } from '../document.js';
import { fixed, plain, signed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted } from '../words.js';

export interface WhyOfModel extends WhyOfPair {
  readonly model: string;
}

export function whyDocumentsDocument(
  query: string,
  found: readonly WhyOfModel[],
  first: TableBlock['first'],
): Document {
  return {
    title: `Why one document of query ${query} is above another`,
    verdict: `Query ${query}: ${found.map(verdictOf).join('; ')}.`,
    sections: found.map(one => section(one, first)),
  };
}

const place = ({ document, rank }: RankedDocument) => `${document} (rank ${rank})`;

function verdictOf({ model, documents: [first, second], difference, features }: WhyOfModel): string {
  const side = difference < 0 ? 'below' : 'above';
  const said =
    difference === 0
      ? `${model} scores ${place(first)} and ${place(second)} alike`
      : `${model} scores ${place(first)} ${fixed(Math.abs(difference))} ${side} ${place(second)}`;
  const most = features.find(({ adds }) => adds * difference > 0);
  return most === undefined ? said : `${said}, most by feature ${most.feature} (${signed(most.adds)})`;
}

/** Features and trees that tell the documents apart. */
const apart = <T extends { readonly adds: number }>(all: readonly T[]) => all.filter(({ adds }) => adds !== 0);

function section(found: WhyOfModel, first: TableBlock['first']): Section {
  const [one, other] = found.documents.map(({ document }) => document);
  const tables = [featuresTable(found), treesTable(found)].filter(({ rows }) => rows.length > 0);
  return {
    title: found.model,
    lead: note(found),
    blocks: [
      waterfall(found),
      remark(`${found.model}: ${one} less ${other}`),
      ...tables.map((table): Block => ({ ...table, first })),
      remark(note(found)),
    ],
  };
}

/** From the score of the second document to that of the first, feature by feature. */
function waterfall({ model, documents: [one, other], difference, features }: WhyOfModel): WaterfallChart {
  const rest = difference - features.reduce((sum, { adds }) => sum + adds, 0);
  // By occlusion features need not add up; what they do together is a step of its own.
  const together =
    Math.abs(rest) > 1e-6 * Math.max(1, Math.abs(difference)) ? [{ name: 'together', adds: rest, ofAll: true }] : [];
  return {
    kind: 'waterfall',
    title: `${model}: from ${other.document} to ${one.document}`,
    x: { label: 'score', style: 'value' },
    item: 'feature',
    from: { name: place(other), value: other.score },
    to: { name: place(one), value: one.score },
    steps: [
      ...apart(features).map(({ feature, adds, values, levels }) => ({
        name: feature,
        adds,
        details: [one, other].map(({ document }, d) => ({ label: document, value: levels?.[d] ?? values[d]! })),
      })),
      ...together,
    ],
  };
}

function featuresTable({ documents, features }: WhyOfModel): TableBlock {
  const names = documents.map(({ document }) => document);
  return {
    kind: 'table',
    title: `What each feature adds: ${names[0]} less ${names[1]}`,
    columns: [
      column('feature'),
      ...names.map(name => column(name, 'general', { digits: 6 })),
      column('adds', 'difference', { verdict: true }),
    ],
    rows: apart(features).map(({ feature, values, levels, adds }) => [
      feature,
      ...(levels ?? values.map(value => (Number.isNaN(value) ? 'missing' : value))),
      adds,
    ]),
  };
}

function treesTable({ documents, trees = [] }: WhyOfModel): TableBlock {
  return {
    kind: 'table',
    title: 'What each tree adds',
    columns: [
      column('tree', 'general', { digits: 12 }),
      column('where they part'),
      ...columns('difference', ...documents.map(({ document }) => document)),
      column('adds', 'difference', { verdict: true }),
    ],
    rows: apart(trees).map(tree => [tree.tree, splitOf(tree), ...tree.values, tree.adds]),
  };
}

/** "feature 3 <= 0.5", or "feature brand in acme, apex". */
export function splitOf({ feature, threshold, levels }: Pick<TreeOfPair, 'feature' | 'threshold' | 'levels'>): string {
  if (feature === undefined) return 'same leaf';
  if (levels !== undefined) return `feature ${feature} in ${few(levels)}`;
  return `feature ${feature} <= ${plain(threshold!, 'general', 6)}`;
}

function note({ how, difference, features, trees }: WhyOfPair): string {
  const sum = features.reduce((total, { adds }) => total + adds, 0);
  if (how === 'occlusion') {
    return `What a feature adds is what the score loses when it has its mean over the query, of one document less that of the other; features act together, so these add up to ${signed(sum)}, not to ${signed(difference)}.`;
  }
  if (how === 'shapley') {
    return `Together: ${signed(sum)}. What a feature adds is its Shapley value for one document less that for the other.`;
  }
  const whole = `Together: ${signed(difference)}.`;
  if (trees === undefined) return whole;
  return `${whole} The two get different values from ${count(apart(trees).length)} of ${counted(trees.length, 'tree')}. A feature has what the trees add in which the two part at a split of it.`;
}
