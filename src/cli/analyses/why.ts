import { type Why, type WhyDocument, whySteps } from '../../analysis/why.js';
import { readDataset } from '../../data/read/read.js';
import { isModelFile, openModel } from '../../interop/open-model.js';
import { withMinusSigns } from '../../report/numbers.js';
import type { Section } from '../../report/page.js';
import { counted } from '../../report/words.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { WhyLine } from '../declarations/analyses/why.js';
import type { Output } from '../output.js';
import { matchOptions, readOptions } from '../settings/data.js';
import { readJudging } from '../settings/judging.js';
import { shownRows } from '../terminal/row-limit.js';
import { count, fixed, right, signed, table } from '../terminal/table.js';
import type { AnalysisResult } from './analysis.js';
import { whyOfPair } from './why-documents.js';

/** Features named for each document. */
const SHOWN_FEATURES = 3;

export async function why({ inputs, options }: WhyLine, output: Output): Promise<AnalysisResult> {
  const { query, document: documents, label: labels } = options;
  const ofPair = documents.length > 0;
  const judging = await readJudging(options, output);
  const { names, models, file } = await readInputs(inputs, ofPair ? 1 : 2, output);
  const data = await readDataset(file, readOptions(options, output));
  if (ofPair) return whyOfPair({ names, models, file, data, ties: judging.ties }, query, documents, options, output);
  const steps = whySteps([models[0]!, models[1]!], data, query, {
    ...matchOptions(options, output),
    ties: judging.ties,
    measures: judging.measures.map(({ measure }) => measure),
    labels,
  });
  const result = await inTurns(steps, output.shares('explaining'));
  const asked = judging.measures.map(one => one.asked);
  return {
    verdict: verdictOf(result, names, asked),
    facts: {
      query,
      a: names[0],
      b: names[1],
      contributions: result.how,
      measures: result.measures.map(({ a, b }, m) => ({ measure: asked[m], a, b })),
      features: result.features,
    },
    results: result.documents.map(document => ({ ...document })),
    text: () => printText(result, options),
    page: {
      title: `Why query ${query} is ranked differently`,
      data: [{ file, data }],
      sections: () => sections(result, names),
    },
  };
}

/** Model files, a and b in their order, and the data; an input that starts as model files do is a model. */
async function readInputs(inputs: readonly string[], least: number, output: Output) {
  const isModel = await Promise.all(inputs.map(isModelFile));
  const files = inputs.filter((_, i) => isModel[i]);
  const [file] = inputs.filter((_, i) => !isModel[i]);
  if (files.length < least || files.length > 2 || inputs.length > files.length + 1 || file === undefined) {
    const wanted = least === 2 ? 'two model files' : 'one model file or two';
    throw usage(`give ${wanted} and one DATA, found ${files.length} and ${inputs.length - files.length}`);
  }
  const options = { note: (message: string) => output.note(message) };
  const models = await Promise.all(files.map(file => openModel(file, options)));
  return { names: files, models, file };
}

function verdictOf({ query, documents, measures, features }: Why, [a, b]: readonly string[], asked: readonly string[]) {
  const moved = documents.filter(document => document.moved !== 0).length;
  const figures = measures.map(one =>
    Number.isNaN(one.a) ? 'is undefined here' : `${signed(one.b - one.a)} (${fixed(one.a)} to ${fixed(one.b)})`,
  );
  const changes = figures.map((figure, m) => `${asked[m]} ${figure}`).join(', ');
  const most = features[0];
  const by = moved > 0 && most !== undefined ? `; most is moved by feature ${most.feature}` : '';
  return `Query ${query}, from ${a} to ${b}: ${changes}; ${count(moved)} of ${counted(documents.length, 'document')} ${moved === 1 ? 'changes' : 'change'} rank${by}.`;
}

/** The features that shifted a document most, with their shifts. */
function shifts({ features }: WhyDocument): string {
  return features
    .filter(({ shift }) => Math.abs(shift) >= 0.005)
    .slice(0, SHOWN_FEATURES)
    .map(({ feature, shift }) => `${feature} ${signed(shift, 2)}`)
    .join(', ');
}

const rankChange = (moved: number) => (moved === 0 ? '=' : moved > 0 ? `up ${moved}` : `down ${-moved}`);

function printText(result: Why, options: WhyLine['options']): string {
  const { shown, beyond } = shownRows(result.documents, options);
  return [
    table(
      [
        { title: 'document' },
        ...['label', 'rank a', 'rank b'].map(right),
        { title: 'moved' },
        { title: 'features whose pull changed most' },
      ],
      shown.map(document => [
        document.document,
        Number.isNaN(document.label) ? '-' : String(document.label),
        String(document.rankA),
        String(document.rankB),
        rankChange(document.moved),
        shifts(document),
      ]),
    ),
    ...beyond,
    table(
      [{ title: 'feature' }, right('mean |change of pull|')],
      result.features.slice(0, 5).map(({ feature, shift }) => [feature, fixed(shift)]),
    ),
    `${note(result)}`,
  ].join('\n\n');
}

function note({ how }: Why): string {
  const occluded = (['a', 'b'] as const).filter((_, m) => how[m] === 'occlusion');
  const parts =
    'The pull of a feature on a document is what it adds to the score over the mean document of the query, in standard deviations of the scores; its change is that under b less that under a.';
  if (occluded.length === 0) return parts;
  return `${parts} For ${occluded.join(' and ')} it is what the score loses when the feature has its mean value; such pulls need not add up.`;
}

function sections(result: Why, [a, b]: readonly string[]): Section[] {
  return [
    {
      title: 'Documents',
      lead: `a is ${a}, b is ${b}; in the order of b. ${note(result)}`,
      blocks: [
        {
          kind: 'table',
          title: 'Ranks side by side',
          columns: [
            { title: 'document' },
            { title: 'label', style: 'general' },
            ...['rank a', 'rank b', 'ranks gained'].map(title => ({ title, style: 'count' as const })),
            ...['score a', 'score b'].map(title => ({ title, style: 'value' as const })),
            { title: 'features whose pull changed most' },
          ],
          rows: result.documents.map(document => [
            document.document,
            document.label,
            document.rankA,
            document.rankB,
            document.moved,
            document.scoreA,
            document.scoreB,
            withMinusSigns(shifts(document)),
          ]),
        },
      ],
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
      ],
    },
  ];
}
