import {
  type FieldKind,
  type FieldPoint,
  fieldSteps,
  fieldVerdict,
  type LambdaField,
} from '../../analysis/field/lambda-field.js';
import type { Dataset } from '../../data/dataset.js';
import { readDataset } from '../../data/read/read.js';
import { openModel } from '../../interop/open-model.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import { parseObjective } from '../../objectives/parse.js';
import { loadLibrary } from '../../objectives/plugin.js';
import type { Section } from '../../report/page.js';
import { capital, listed } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import type { FieldLine } from '../declarations/analyses/field.js';
import type { Output } from '../output.js';
import { readOptions, scoringOptions } from '../settings/data.js';
import { count, fixed, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

const SHOWN_DOCUMENTS = 12;

export async function field({ args, options }: FieldLine, output: Output): Promise<AnalysisResult> {
  const { data: file, model: modelFile } = args;
  const library = await loadLibrary(options.load);
  const specs = options.objective.length > 0 ? options.objective : ['ranknet', 'lambdarank(ndcg)'];
  const objectives = specs.map(spec => parseObjective(spec, library));
  const note = (message: string) => output.note(message);
  const model = modelFile === undefined ? undefined : await openModel(modelFile, { note });
  const data = await readDataset(file, readOptions(options, output));
  const settings = {
    queries: options.queries,
    mostDocuments: options.mostDocuments,
    points: model === undefined ? options.points : 1,
    spread: options.spread,
    loops: options.loops,
    seed: options.seed,
  };
  const scoring = scoringOptions(options, output);
  const scores = model && (await scoreDataOnThreads(model, data, scoring.threads, scoring));
  const progress = output.shares('looking');
  const fields: LambdaField[] = [];
  for (const [o, objective] of objectives.entries()) {
    const steps = fieldSteps(objective, data, { ...settings, scores });
    fields.push(await inTurns(steps, share => progress((o + share) / objectives.length)));
  }
  return {
    verdict: verdictOf(fields),
    facts: { ...settings, scores: modelFile ?? 'random' },
    results: fields.map(of => toJson(of, data)),
    text: () => printText(fields, data),
    page: { title: 'Lambdas of objectives', data: [{ file, data }], sections: () => sections(fields, data) },
  };
}

const kinds: Record<FieldKind, string> = {
  gradient: 'are the gradient of a cost',
  'gradient between swaps': 'are a gradient between swaps only',
  'no gradient': 'are no gradient',
};

/** One sentence, however many objectives there are. */
function verdictOf(fields: readonly LambdaField[]): string {
  if (fields.length === 1) return fieldVerdict(fields[0]!);
  const parts = (Object.keys(kinds) as FieldKind[]).flatMap(kind => {
    const named = fields.filter(found => found.kind === kind).map(({ objective }) => objective);
    return named.length === 0 ? [] : [`the lambdas of ${listed(named)} ${kinds[kind]}`];
  });
  return `${capital(parts.join('; '))}.`;
}

interface Lambda {
  readonly document: string;
  readonly label: number;
  readonly score: number;
  readonly lambda: number;
}

/** The documents of a point, highest score first. */
function lambdasAt({ query, scores, lambda }: FieldPoint, data: Dataset): Lambda[] {
  const start = data.offsets[query]!;
  return Array.from(scores, (score, i) => ({
    document: data.documentId(start + i),
    label: data.label()[start + i]!,
    score,
    lambda: lambda[i]!,
  })).sort((a, b) => b.score - a.score);
}

function toJson(of: LambdaField, data: Dataset): Record<string, unknown> {
  const { points, ...rest } = of;
  const [first] = points;
  return {
    ...rest,
    points: points.length,
    verdict: fieldVerdict(of),
    lambdas: { query: data.queryIds[first!.query], documents: lambdasAt(first!, data) },
  };
}

function printText(fields: readonly LambdaField[], data: Dataset): string {
  const yes = (holds: boolean) => (holds ? 'yes' : 'no');
  const short = (value: number) => (withoutNoise(value) === 0 ? '0' : value.toPrecision(2));
  const [first] = fields;
  const [point] = first!.points;
  const lambdas = fields.map(({ points }) => lambdasAt(points[0]!, data));
  const shown = lambdas[0]!.slice(0, SHOWN_DOCUMENTS);
  const rest = lambdas[0]!.length - shown.length;
  return [
    table(
      [
        { title: 'objective' },
        { title: 'gradient' },
        { title: 'convex' },
        ...['sum', 'asymmetry', 'eigenvalue', 'loop within', 'loop across', 'pairs', 'with lambda'].map(right),
      ],
      fields.map(({ objective, kind, convex, worst, pairs, effective }) => [
        objective,
        kind === 'gradient' ? 'yes' : kind === 'no gradient' ? 'no' : 'between swaps',
        kind === 'no gradient' ? '-' : yes(convex),
        ...[worst.sum, worst.asymmetry, worst.eigenvalue, worst.within, worst.across].map(short),
        ...[pairs, effective].map(value => fixed(value, 1)),
      ]),
    ),
    ...(fields.length > 1 ? [fields.map(fieldVerdict).join('\n')] : []),
    `The worst of ${count(first!.points.length)} score vectors. Sum: of the lambdas, over the largest. Asymmetry: |J_jk - J_kj|, over the largest entry of the Jacobian J. Eigenvalue: the least of -J, over the largest. Loops: the work around a loop over that along its sides, without and with swaps. With lambda: mean number of pairs, or of documents where an objective has no pairs.`,
    `Query ${data.queryIds[point!.query]}, highest score first:`,
    table(
      [
        { title: 'document' },
        right('label'),
        right('score'),
        ...fields.map(({ objective }) => right(`lambda of ${objective}`)),
      ],
      shown.map(({ document, label, score }, r) => [
        document,
        fixed(label, 0),
        fixed(score),
        ...lambdas.map(of => signed(of[r]!.lambda)),
      ]),
    ),
    ...(rest > 0 ? [`… and ${count(rest)} more (--json has every one)`] : []),
  ].join('\n\n');
}

/** What arrows are worth, which each chart scales for itself. */
function longestWords({ lambda }: FieldPoint): string {
  const longest = lambda.reduce((most, lambda) => (Math.abs(lambda) > Math.abs(most) ? lambda : most), 0);
  return `The longest arrow is a lambda of ${signed(longest)}.`;
}

/** What rounding alone leaves is nothing. */
function withoutNoise(value: number): number {
  return Math.abs(value) < 1e-7 ? 0 : value;
}

function sections(fields: readonly LambdaField[], data: Dataset): Section[] {
  return [
    {
      title: 'What the lambdas are',
      lead: 'Lambdas are the gradient of a cost where their Jacobian is symmetric and no loop, also through swaps of documents, does work; the cost is convex where no eigenvalue of the negative Jacobian is below 0.',
      blocks: [
        ...(fields.length > 1 ? fields.map(found => ({ kind: 'text' as const, text: fieldVerdict(found) })) : []),
        {
          kind: 'table',
          title: 'Checks, the worst of all score vectors',
          columns: [
            { title: 'objective' },
            { title: 'gradient' },
            { title: 'convex' },
            ...['sum', 'asymmetry', 'least eigenvalue', 'loop within', 'loop across', 'pairs', 'with lambda'].map(
              title => ({
                title,
                style: 'general' as const,
              }),
            ),
          ],
          rows: fields.map(({ objective, kind, convex, worst, pairs, effective }) => [
            objective,
            kind,
            kind === 'no gradient' ? '' : convex ? 'yes' : 'no',
            ...[worst.sum, worst.asymmetry, worst.eigenvalue, worst.within, worst.across].map(withoutNoise),
            pairs,
            effective,
          ]),
        },
      ],
    },
    {
      title: `Lambdas on the documents of query ${data.queryIds[fields[0]!.points[0]!.query]}`,
      lead: 'An arrow a document, from its score in the direction it is pushed; to the right is up in the ranking.',
      blocks: fields.map(({ objective, points }) => ({
        kind: 'arrows' as const,
        title: `Lambdas of ${objective}`,
        note: longestWords(points[0]!),
        x: { label: 'score' },
        item: 'document',
        lengthLabel: 'force',
        lengthStyle: 'difference' as const,
        arrows: lambdasAt(points[0]!, data).map(({ document, label, score, lambda }) => ({
          name: document,
          at: score,
          length: lambda,
          series: Number.isNaN(label) ? 'no label' : `label ${label}`,
        })),
      })),
    },
  ];
}
