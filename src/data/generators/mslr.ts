/**
 * Data of the shape of MSLR-WEB10K: 136 features in its order and of its kinds. Relevance is a nonlinear function of
 * the features, an effect of the query, and noise.
 */

import { Random } from '../../numeric/random.js';
import { choiceParameter, numberParameter, optionalNumberParameter } from '../../spec/parameters.js';
import { defineGenerator, type QueryRoom } from './generator.js';
import { GRADE_SHARES, gradeOf, gradeThresholds, regrade } from './grades.js';
import { shortDecimal, WEB_FEATURES, WebQuery } from './web-query.js';

/** Queries and documents each from which the grades' thresholds are read off; drawn from the function's seed alone. */
const SAMPLE_QUERIES = 3000;
const SAMPLE_DOCUMENTS = 10;

export const mslr = defineGenerator({
  name: 'mslr',
  title: 'Web search data of the shape of MSLR-WEB10K.',
  description:
    '136 features: 25 statistics of the query terms in each of five streams (counts, ratios, tf*idf, BM25, language models) and 11 ' +
    'of the document (links, quality, clicks); integer counts, heavy tails, many zeros, columns that depend on each other, some ' +
    'that are the same for all documents of a query. Grades 0 to 4 of shares 52, 32, 13, 2 and 1 %; by default 3 % of the queries have no ' +
    'relevant document. The number of documents varies from 1 to about six times `documents`.',
  citation: 'Shape after Qin, Liu, Introducing LETOR 4.0 datasets, 2013, and the MSLR feature list.',
  parameters: {
    noise: numberParameter({
      default: 2.2,
      description: 'Deviation of the noise in relevance, in units of the deviation of what the features tell.',
      min: 0,
    }),
    empty: numberParameter({
      default: 0.03,
      description: 'Share of queries that no document is relevant to.',
      min: 0,
      max: 1,
    }),
    cut: optionalNumberParameter({
      description:
        'The function then tells only whether a document has this grade or a higher one, and not which of the grades on that side.',
      min: 1,
      max: 4,
      integer: true,
    }),
    within: choiceParameter({
      choices: ['chance', 'appeal'],
      default: 'chance',
      description: 'What tells the grades on one side of the cut: nothing, or what else makes a document be clicked.',
    }),
  },
  defaults: { documents: 120, features: WEB_FEATURES },
  anyFeatures: false,
  sizes: 'spread',
  grades: GRADE_SHARES.length,
  start({ noise, empty, cut, within }, { seed }) {
    const query = new WebQuery(seed, noise, empty);
    const targets = new Float64Array(SAMPLE_QUERIES * SAMPLE_DOCUMENTS);
    const sample = new Random(seed, 'sample');
    for (let i = 0; i < targets.length; i++) {
      if (i % SAMPLE_DOCUMENTS === 0) query.draw(sample);
      query.drawDocument(sample);
      targets[i] = query.empty ? Number.NEGATIVE_INFINITY : query.target;
    }
    const thresholds = gradeThresholds([targets]);
    return {
      features: WEB_FEATURES,
      fill(random: Random, documents: number, room: QueryRoom): void {
        query.draw(random);
        let best = room.at;
        let most = Number.NEGATIVE_INFINITY;
        for (let at = room.at; at < room.at + documents; at++) {
          query.drawDocument(random);
          for (let f = 0; f < WEB_FEATURES; f++) room.columns[f * room.stride + at] = shortDecimal(query.features[f]!);
          room.grades[at] = query.empty ? 0 : gradeOf([query.target], thresholds);
          room.appeal[at] = query.appeal;
          room.habit[at] = query.habit;
          if (query.target > most) {
            most = query.target;
            best = at;
          }
        }
        // Only the queries drawn to be empty are: elsewhere the best document is relevant, however few there are.
        if (query.empty) return;
        const grades = room.grades.subarray(room.at, room.at + documents);
        if (cut !== undefined) {
          const appeal = room.appeal.subarray(room.at, room.at + documents);
          // Drawn after all documents, so that these have the features that they have without a cut.
          regrade(grades, cut, i => (within === 'chance' ? random.uniform() : normalShare(appeal[i]!)));
        }
        if (grades.every(grade => grade === 0)) room.grades[best] = 1;
      },
    };
  },
});

/** The share of a standard normal distribution below x, to about 0.01. */
function normalShare(x: number): number {
  return 1 / (1 + Math.exp(-1.702 * x));
}
