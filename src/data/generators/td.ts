/** Data of the shape of LETOR's TD2003 and TD2004: few relevant documents among a thousand, no grades. */
import type { Random } from '../../numeric/random.js';
import { numberParameter } from '../../spec/parameters.js';
import { defineGenerator, type QueryRoom } from './generator.js';
import { STATISTICS, STREAMS, TEXT_FEATURES } from './mslr-streams.js';
import { spreadSize } from './spread-size.js';
import { DOCUMENT_FEATURES, shortDecimal, WebQuery } from './web-query.js';

/** Of body, anchor, title and address each. */
const STREAM_STATISTICS = [
  'stream length',
  'inverse document frequency',
  'sum of term frequency',
  'sum of term frequency / length',
  'sum of tf*idf',
  'BM25',
  'language model, absolute discounting',
  'language model, Dirichlet',
  'language model, Jelinek-Mercer',
] as const satisfies readonly (typeof STATISTICS)[number][];

const text = (statistic: (typeof STATISTICS)[number], stream: number) =>
  STATISTICS.indexOf(statistic) * STREAMS.length + stream;
const WHOLE = STREAMS.indexOf('whole document');

/** The features of web data that LETOR's collections have too, by their number there: 36 + 2 + 6. */
const PICKED: readonly number[] = [
  ...STREAM_STATISTICS.flatMap(statistic => [0, 1, 2, 3].map(stream => text(statistic, stream))),
  text('stream length', WHOLE),
  text('BM25', WHOLE),
  // Address, links and ranks of pages and sites.
  ...DOCUMENT_FEATURES.slice(0, 6).map((_, f) => TEXT_FEATURES + f),
];

export const td = defineGenerator({
  name: 'td',
  title: "Topic distillation data of the shape of LETOR's TD2003 and TD2004.",
  description:
    '44 of the features of mslr data: nine statistics of the query terms in four streams, two of the whole document, and six of ' +
    'addresses and links. A label is 0 or 1: the documents of the highest relevance are relevant, from one to about six times ' +
    'their mean. Every query has as many documents.',
  citation: 'Shape after Liu, Xu, Qin, Xiong, Li, LETOR: Benchmark dataset for research on learning to rank, 2007.',
  parameters: {
    relevant: numberParameter({ default: 10, description: 'Mean number of relevant documents a query.', min: 1 }),
    noise: numberParameter({
      default: 0.3,
      description: 'Deviation of the noise in relevance, in units of the deviation of what the features tell.',
      min: 0,
    }),
  },
  defaults: { documents: 1000, features: PICKED.length },
  anyFeatures: false,
  sizes: 'equal',
  grades: 2,
  start({ relevant, noise }, { seed }) {
    const query = new WebQuery(seed, noise, 0);
    return {
      features: PICKED.length,
      fill(random: Random, documents: number, room: QueryRoom): void {
        const count = Math.min(documents, spreadSize(random, relevant));
        query.draw(random);
        const targets = Float64Array.from({ length: documents }, (_, i) => {
          const at = room.at + i;
          query.drawDocument(random);
          for (const [f, from] of PICKED.entries()) {
            room.columns[f * room.stride + at] = shortDecimal(query.features[from]!);
          }
          room.appeal[at] = query.appeal;
          room.habit[at] = query.habit;
          return query.target;
        });
        const least = targets.toSorted()[documents - count]!;
        for (const [i, target] of targets.entries()) room.grades[room.at + i] = target >= least ? 1 : 0;
      },
    };
  },
});
