/** Why two models rank the documents of a query differently. */
import type { Why, WhyDocument } from '../../analysis/why.js';
import type { SlopesChart } from '../charts.js';
import { column, columns } from '../columns.js';
import type { Block, Document, TableBlock } from '../document.js';
import { fixed, signed } from '../numbers.js';
import { remark } from '../remark.js';
import { count, counted, labelColours, labelSeries } from '../words.js';

/** Features named for each document, and for all of them on a terminal. */
const SHOWN_FEATURES = { document: 3, all: 5 };

/** `names` are those of the models, `asked` those of the measures, `labels` those of all documents of the data. */
export function whyDocument(
  result: Why,
  names: readonly string[],
  asked: readonly string[],
  labels: Iterable<number>,
  first: TableBlock['first'],
): Document {
  const [a, b] = names;
  return {
    title: a === b ? `Query ${result.query}` : `Why query ${result.query} is ranked differently`,
    verdict: verdictOf(result, names, asked),
    sections: [
      {
        title: 'Documents',
        lead: `a is ${a}, b is ${b}; in the order of b. ${note(result)}`,
        blocks: [slopes(result, names, labels), { ...ranksTable(result), first }],
      },
      {
        title: 'Features',
        lead: 'How much the pull of each feature differs between the models, in the mean over the documents.',
        blocks: [
          {
            kind: 'bars',
            title: 'Mean |change of pull|',
            item: 'feature',
            x: { label: 'standard deviations of the scores', style: 'value' },
            bars: result.features.map(({ feature, shift }) => ({ name: feature, value: shift })),
          },
          featuresTable(result),
          remark(note(result)),
        ],
      },
    ],
  };
}

function verdictOf({ query, documents, measures, features }: Why, [a, b]: readonly string[], asked: readonly string[]) {
  if (a === b) {
    const values = measures.map(one => (Number.isNaN(one.a) ? 'is undefined here' : fixed(one.a)));
    const of = values.map((value, m) => `${asked[m]} ${value}`).join(', ');
    return `Query ${query} by ${a}: ${of}; ${counted(documents.length, 'document')}.`;
  }
  const moved = documents.filter(document => document.moved !== 0).length;
  const found = measures.map(one =>
    Number.isNaN(one.a) ? 'is undefined here' : `${signed(one.b - one.a)} (${fixed(one.a)} to ${fixed(one.b)})`,
  );
  const changes = found.map((change, m) => `${asked[m]} ${change}`).join(', ');
  const most = features[0];
  const by = moved > 0 && most !== undefined ? `; most is moved by feature ${most.feature}` : '';
  return `Query ${query}, from ${a} to ${b}: ${changes}; ${count(moved)} of ${counted(documents.length, 'document')} ${moved === 1 ? 'changes' : 'change'} rank${by}.`;
}

function slopes({ documents }: Why, [a, b]: readonly string[], labels: Iterable<number>): SlopesChart {
  const colourOf = labelColours(labels);
  return {
    kind: 'slopes',
    title: 'From one ranking to the other',
    item: 'document',
    from: a!,
    to: b!,
    lines: documents.map(({ document, label, rankA, rankB }) => ({
      name: document,
      from: rankA,
      to: rankB,
      series: labelSeries(label),
      colour: colourOf(label),
    })),
  };
}

function ranksTable({ documents }: Why): TableBlock {
  return {
    kind: 'table',
    title: 'Ranks side by side',
    columns: [
      column('document'),
      ...['label', 'rank a', 'rank b'].map(title => column(title, 'general', { digits: 12 })),
      column('moved', undefined, { verdict: true }),
      ...['score a', 'score b'].map(title => column(title, 'value', { on: ['page'] })),
      column('features whose pull changed most'),
    ],
    rows: documents.map(document => [
      document.document,
      document.label,
      document.rankA,
      document.rankB,
      rankChange(document.moved),
      document.scoreA,
      document.scoreB,
      shifts(document),
    ]),
  };
}

const rankChange = (moved: number) => (moved === 0 ? '=' : moved > 0 ? `up ${moved}` : `down ${-moved}`);

function shifts({ features }: WhyDocument): string {
  return features
    .filter(({ shift }) => Math.abs(shift) >= 0.005)
    .slice(0, SHOWN_FEATURES.document)
    .map(({ feature, shift }) => `${feature} ${signed(shift, 2)}`)
    .join(', ');
}

/** The first bars of a page as numbers. */
function featuresTable({ features }: Why): Block {
  return {
    kind: 'table',
    on: 'terminal',
    title: 'Features',
    columns: [column('feature'), ...columns('value', 'mean |change of pull|')],
    rows: features.slice(0, SHOWN_FEATURES.all).map(({ feature, shift }) => [feature, shift]),
  };
}

function note({ how }: Why): string {
  const occluded = (['a', 'b'] as const).filter((_, m) => how[m] === 'occlusion');
  const parts =
    'The pull of a feature on a document is what it adds to the score over the mean document of the query, in standard deviations of the scores; its change is that under b less that under a.';
  if (occluded.length === 0) return parts;
  return `${parts} For ${occluded.join(' and ')} it is what the score loses when the feature has its mean value; such pulls need not add up.`;
}
