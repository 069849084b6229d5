/** `analyse why` of two documents: why each model has one above the other. */
import { type RankedDocument, type TreeOfPair, type WhyOfPair, whyAboveSteps } from '../../analysis/why-documents.js';
import type { Dataset } from '../../data/dataset.js';
import type { Ties } from '../../measures/query-view.js';
import type { Ranker } from '../../models/ranker.js';
import { withMinusSigns } from '../../report/numbers.js';
import type { Section } from '../../report/page.js';
import { counted, listed } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { WhyLine } from '../declarations/analyses/why.js';
import type { Output } from '../output.js';
import { matchOptions } from '../settings/data.js';
import { shownRows } from '../terminal/row-limit.js';
import { count, fixed, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';

export interface WhyInputs {
  readonly names: readonly string[];
  readonly models: readonly Ranker[];
  readonly file: string;
  readonly data: Dataset;
  readonly ties: Ties;
}

interface Found extends WhyOfPair {
  readonly model: string;
}

export async function whyOfPair(
  { names, models, file, data, ties }: WhyInputs,
  query: string,
  documents: readonly string[],
  options: WhyLine['options'],
  output: Output,
): Promise<AnalysisResult> {
  const [first, second, ...more] = documents;
  if (second === undefined || more.length > 0 || first === second) {
    throw usage(`give --document twice, for two documents of the query; found ${listed(documents)}`);
  }
  const progress = output.shares('explaining');
  const found: Found[] = [];
  for (const [m, model] of models.entries()) {
    const steps = whyAboveSteps(model, data, query, [first!, second], {
      ...matchOptions(options, output),
      labels: options.label,
      ties,
    });
    const why = await inTurns(steps, share => progress((m + share) / models.length));
    found.push({ model: names[m]!, ...why });
  }
  return {
    verdict: `Query ${query}: ${found.map(verdictOf).join('; ')}.`,
    facts: { query, documents: [first, second] },
    results: found.map(({ documents: pair, ...one }) => ({ ...one, ranked: pair })),
    text: () => found.map(one => printText(one, options)).join('\n\n'),
    page: {
      title: `Why one document of query ${query} is above another`,
      data: [{ file, data }],
      sections: () => found.map(section),
    },
  };
}

const place = ({ document, rank }: RankedDocument) => `${document} (rank ${rank})`;

function verdictOf({ model, documents: [first, second], difference, features }: Found): string {
  const side = difference < 0 ? 'below' : 'above';
  const said =
    difference === 0
      ? `${model} scores ${place(first)} and ${place(second)} alike`
      : `${model} scores ${place(first)} ${fixed(Math.abs(difference))} ${side} ${place(second)}`;
  const most = features.find(({ adds }) => adds * difference > 0);
  return most === undefined ? said : `${said}, most by feature ${most.feature} (${signed(most.adds)})`;
}

/** "feature 3 <= 0.5". */
const splitOf = ({ feature, threshold }: TreeOfPair) =>
  feature === undefined ? 'same leaf' : `feature ${feature} <= ${general(threshold!)}`;

const general = (value: number) => (Number.isNaN(value) ? 'missing' : String(Number(value.toPrecision(6))));

/** Features and trees that tell the documents apart. */
const apart = <T extends { readonly adds: number }>(all: readonly T[]) => all.filter(({ adds }) => adds !== 0);

function note({ how, difference, features, trees }: WhyOfPair): string {
  const sum = features.reduce((total, { adds }) => total + adds, 0);
  if (how === 'occlusion') {
    return `What a feature adds is what the score loses when it has its mean over the query, of one document less that of the other; features act together, so these add up to ${signed(sum)}, not to ${signed(difference)}.`;
  }
  const whole = `Together: ${signed(difference)}.`;
  if (trees === undefined) return whole;
  return `${whole} The two get different values from ${count(apart(trees).length)} of ${counted(trees.length, 'tree')}. A feature has what the trees add in which the two part at a split of it.`;
}

function printText(found: Found, options: WhyLine['options']): string {
  const names = found.documents.map(({ document }) => document);
  const features = shownRows(apart(found.features), options);
  const trees = shownRows(apart(found.trees ?? []), options);
  return [
    `${found.model}: ${names[0]} less ${names[1]}`,
    ...(features.shown.length === 0
      ? []
      : [
          table(
            [{ title: 'feature' }, ...names.map(right), right('adds')],
            features.shown.map(({ feature, values, adds }) => [feature, ...values.map(general), signed(adds)]),
          ),
        ]),
    ...features.beyond,
    ...(trees.shown.length === 0
      ? []
      : [
          table(
            [right('tree'), { title: 'where they part' }, ...names.map(right), right('adds')],
            trees.shown.map(tree => [
              String(tree.tree),
              splitOf(tree),
              ...[...tree.values, tree.adds].map(value => signed(value)),
            ]),
          ),
          ...trees.beyond,
        ]),
    note(found),
  ].join('\n\n');
}

function section(found: Found): Section {
  const names = found.documents.map(({ document }) => document);
  return {
    title: found.model,
    lead: withMinusSigns(note(found)),
    blocks: [
      {
        kind: 'table',
        title: `What each feature adds: ${names[0]} less ${names[1]}`,
        columns: [
          { title: 'feature' },
          ...names.map(title => ({ title, style: 'general' as const })),
          { title: 'adds', style: 'difference' },
        ],
        rows: apart(found.features).map(({ feature, values, adds }) => [feature, ...values, adds]),
      },
      ...(found.trees === undefined
        ? []
        : [
            {
              kind: 'table' as const,
              title: 'What each tree adds',
              columns: [
                { title: 'tree', style: 'count' as const },
                { title: 'where they part' },
                ...names.map(title => ({ title, style: 'difference' as const })),
                { title: 'adds', style: 'difference' as const },
              ],
              rows: apart(found.trees).map(tree => [tree.tree, splitOf(tree), ...tree.values, tree.adds]),
            },
          ]),
    ],
  };
}
