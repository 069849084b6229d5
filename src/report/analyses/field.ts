/** What the lambdas of objectives are, and a picture of them on the documents of a query. */
import { type FieldKind, type FieldPoint, fieldVerdict, type LambdaField } from '../../analysis/field/lambda-field.js';
import type { Dataset } from '../../data/dataset.js';
import type { ArrowsChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Cell, Document, TableBlock } from '../document.js';
import { signed } from '../numbers.js';
import { remark } from '../remark.js';
import { capital, count, labelColours, labelSeries, listed } from '../words.js';

const SHOWN_DOCUMENTS = 12;

export function fieldDocument(fields: readonly LambdaField[], data: Dataset): Document {
  const [point] = fields[0]!.points;
  const query = data.queryIds[point!.query];
  const verdicts = fields.map(fieldVerdict);
  return {
    title: 'Lambdas of objectives',
    verdict: verdictOf(fields),
    sections: [
      {
        title: 'What the lambdas are',
        lead: 'Lambdas are the gradient of a cost where their Jacobian is symmetric and no loop, also through swaps of documents, does work; the cost is convex where no eigenvalue of the negative Jacobian is below 0.',
        blocks: [
          checksTable(fields),
          ...(fields.length > 1 ? [{ kind: 'text' as const, text: verdicts.join('\n') }] : []),
          {
            kind: 'text',
            text: `The worst of ${count(fields[0]!.points.length)} score vectors. Sum: of the lambdas, over the largest. Asymmetry: |J_jk - J_kj|, over the largest entry of the Jacobian J. Eigenvalue: the least of -J, over the largest. Loops: the work around a loop over that along its sides, without and with swaps. With lambda: mean number of pairs, or of documents where an objective has no pairs.`,
          },
        ],
      },
      {
        title: `Lambdas on the documents of query ${query}`,
        lead: 'An arrow a document, from its score in the direction it is pushed; to the right is up in the ranking.',
        blocks: [
          remark(`Query ${query}, highest score first:`),
          lambdasTable(fields, data),
          ...fields.map(one => arrows(one, data)),
        ],
      },
    ],
  };
}

const kinds: Record<FieldKind, { readonly said: string; readonly short: string }> = {
  gradient: { said: 'are the gradient of a cost', short: 'yes' },
  'gradient between swaps': { said: 'are a gradient between swaps only', short: 'between swaps' },
  'no gradient': { said: 'are no gradient', short: 'no' },
};

/** One sentence, however many objectives there are. */
function verdictOf(fields: readonly LambdaField[]): string {
  if (fields.length === 1) return fieldVerdict(fields[0]!);
  const parts = (Object.keys(kinds) as FieldKind[]).flatMap(kind => {
    const named = fields.filter(found => found.kind === kind).map(({ objective }) => objective);
    return named.length === 0 ? [] : [`the lambdas of ${listed(named)} ${kinds[kind].said}`];
  });
  return `${capital(parts.join('; '))}.`;
}

function checksTable(fields: readonly LambdaField[]): TableBlock {
  const checks = ['sum', 'asymmetry', 'eigenvalue', 'loop within', 'loop across'];
  return {
    kind: 'table',
    title: 'Checks, the worst of all score vectors',
    columns: [
      ...columns(undefined, 'objective', 'gradient', 'convex'),
      ...checks.map(check => column(check, 'significant', { digits: 2 })),
      ...['pairs', 'with lambda'].map(title => column(title, 'value', { digits: 1 })),
    ],
    rows: fields.map(({ objective, kind, convex, worst, pairs, effective }) => [
      objective,
      kinds[kind].short,
      kind === 'no gradient' ? '-' : convex ? 'yes' : 'no',
      ...[worst.sum, worst.asymmetry, worst.eigenvalue, worst.within, worst.across].map(withoutNoise),
      pairs,
      effective,
    ]),
  };
}

/** What rounding alone leaves is nothing. */
function withoutNoise(value: number): Cell {
  return Math.abs(value) < 1e-7 ? '0' : value;
}

export interface DocumentLambda {
  readonly document: string;
  readonly label: number;
  readonly score: number;
  readonly lambda: number;
}

/** The documents of a point, highest score first. */
export function lambdasAt({ query, scores, lambda }: FieldPoint, data: Dataset): DocumentLambda[] {
  const start = data.offsets[query]!;
  return Array.from(scores, (score, i) => ({
    document: data.documentId(start + i),
    label: data.label()[start + i]!,
    score,
    lambda: lambda[i]!,
  })).sort((a, b) => b.score - a.score);
}

/** The arrows of a page as numbers. */
function lambdasTable(fields: readonly LambdaField[], data: Dataset): Block {
  const lambdas = fields.map(({ points }) => lambdasAt(points[0]!, data));
  return {
    kind: 'table',
    on: 'terminal',
    title: 'Lambdas',
    columns: [
      column('document'),
      column('label', 'value', { digits: 0 }),
      column('score', 'value'),
      ...columns('difference', ...fields.map(({ objective }) => `lambda of ${objective}`)),
    ],
    rows: lambdas[0]!.map(({ document, label, score }, r) => [
      document,
      label,
      score,
      ...lambdas.map(of => of[r]!.lambda),
    ]),
    first: { rows: SHOWN_DOCUMENTS, rest: 'JSON has every one' },
  };
}

function arrows({ objective, points }: LambdaField, data: Dataset): ArrowsChart {
  const colourOf = labelColours(data.label());
  return {
    kind: 'arrows',
    title: `Lambdas of ${objective}`,
    note: longestWords(points[0]!),
    x: { label: 'score' },
    item: 'document',
    lengthLabel: 'lambda',
    lengthStyle: 'difference',
    arrows: lambdasAt(points[0]!, data).map(({ document, label, score, lambda }) => ({
      name: document,
      at: score,
      length: lambda,
      series: labelSeries(label),
      colour: colourOf(label),
    })),
  };
}

/** What arrows are worth, which each chart scales for itself. */
function longestWords({ lambda }: FieldPoint): string {
  const longest = lambda.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
  return `The longest arrow is a lambda of ${signed(longest)}.`;
}
