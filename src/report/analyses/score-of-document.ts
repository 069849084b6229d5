/** What gives a document its score, model by model. */
import type { ScoreOfDocument } from '../../analysis/score-of-document.js';
import type { WaterfallChart } from '../charts.js';
import { column } from '../columns.js';
import type { Document, Section, TableBlock } from '../document.js';
import { fixed, signed } from '../numbers.js';
import { remark } from '../remark.js';

export interface ScoreUnderModel extends ScoreOfDocument {
  readonly model: string;
}

/** At least one model. */
export function scoreOfDocumentDocument(
  query: string,
  found: readonly ScoreUnderModel[],
  first?: TableBlock['first'],
): Document {
  const { document } = found[0]!.document;
  return {
    title: `Document ${document} of query ${query}`,
    verdict: `Document ${document} of query ${query}: ${found.map(verdictOf).join('; ')}.`,
    sections: found.map(one => section(one, first)),
  };
}

function verdictOf({ model, document: { rank, score }, features }: ScoreUnderModel): string {
  const most = features[0];
  const by = most === undefined || most.adds === 0 ? '' : `, most by feature ${most.feature} (${signed(most.adds)})`;
  return `${model} has it at rank ${rank} with a score of ${fixed(score)}${by}`;
}

const LEADS: Readonly<Record<ScoreOfDocument['how'], string>> = {
  paths: 'Shapley values; what stands for a feature that is not known are the ways of training documents in each tree.',
  mean: 'Shapley values; the training mean stands for a feature that is not known.',
  background: 'Shapley values; background documents stand for a feature that is not known.',
  parts: 'What each feature adds to the score over the mean document of the query.',
  occlusion:
    'What the score loses when a feature has its mean over the query; features act together, so that these need not add up.',
};

function section(found: ScoreUnderModel, first: TableBlock['first']): Section {
  const { model, base, document, how } = found;
  return {
    title: model,
    lead: LEADS[how],
    blocks: [
      waterfall(found),
      remark(`${model}: ${baseName(how)} ${fixed(base)}, ${document.document} ${fixed(document.score)}`),
      { ...featuresTable(found), first },
      remark(LEADS[how]),
    ],
  };
}

/** What features add to. */
function baseName(how: ScoreOfDocument['how']): string {
  return how === 'parts' || how === 'occlusion' ? 'mean of the query' : 'expected score';
}

function waterfall({ model, document, base, features, how }: ScoreUnderModel): WaterfallChart {
  const moving = features.filter(({ adds }) => adds !== 0);
  const rest = document.score - base - moving.reduce((sum, { adds }) => sum + adds, 0);
  const together =
    Math.abs(rest) > 1e-6 * Math.max(1, Math.abs(document.score))
      ? [{ name: 'together', adds: rest, ofAll: true }]
      : [];
  return {
    kind: 'waterfall',
    title: `${model}: what makes the score`,
    x: { label: 'score', style: 'value' },
    item: 'feature',
    from: { name: baseName(how), value: base },
    to: { name: `${document.document} (rank ${document.rank})`, value: document.score },
    steps: [
      ...moving.map(({ feature, value, level, adds }) => ({
        name: feature,
        adds,
        details: [{ label: 'value', value: level ?? value }],
      })),
      ...together,
    ],
  };
}

function featuresTable({ model, features }: ScoreUnderModel): TableBlock {
  return {
    kind: 'table',
    title: `Features of the document under ${model}`,
    columns: [column('feature'), column('value', 'general', { digits: 6 }), column('adds', 'difference')],
    rows: features.map(({ feature, value, level, adds }) => [
      feature,
      level ?? (Number.isNaN(value) ? 'missing' : value),
      adds,
    ]),
  };
}
