/**
 * Data of the shape of MSLR-WEB10K: 136 features in its order and of its kinds. Relevance is a nonlinear function of
 * the features, an effect of the query, and noise.
 */

import { Random } from '../../numeric/random.js';
import { choiceParameter, numberParameter, optionalNumberParameter } from '../../spec/parameters.js';
import { defineGenerator, type QueryRoom } from './generator.js';
import { gradeOf, gradeThresholds, type Moments, moments, regrade } from './grades.js';
import { STREAMS, TEXT_FEATURES, TextDocument } from './mslr-streams.js';

/** Features 126 to 136. */
export const DOCUMENT_FEATURES = [
  'slashes in the address',
  'length of the address',
  'links in',
  'links out',
  'PageRank',
  'SiteRank',
  'quality score',
  'quality score 2',
  'clicks on the document for the query',
  'clicks on the document',
  'dwell time on the document',
] as const;

const FEATURES = TEXT_FEATURES + DOCUMENT_FEATURES.length;

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
  defaults: { documents: 120, features: FEATURES },
  anyFeatures: false,
  sizes: 'spread',
  start({ noise, empty, cut, within }, { seed }) {
    const query = new SyntheticQuery(seed, noise, empty);
    const targets = new Float64Array(SAMPLE_QUERIES * SAMPLE_DOCUMENTS);
    const sample = new Random(seed, 'sample');
    for (let i = 0; i < targets.length; i++) {
      if (i % SAMPLE_DOCUMENTS === 0) query.draw(sample);
      query.drawDocument(sample);
      targets[i] = query.empty ? Number.NEGATIVE_INFINITY : query.target;
    }
    const thresholds = gradeThresholds(targets);
    return {
      features: FEATURES,
      fill(random: Random, documents: number, room: QueryRoom): void {
        query.draw(random);
        let best = room.at;
        let most = Number.NEGATIVE_INFINITY;
        for (let at = room.at; at < room.at + documents; at++) {
          query.drawDocument(random);
          for (let f = 0; f < FEATURES; f++) room.columns[f * room.stride + at] = shortDecimal(query.features[f]!);
          room.grades[at] = query.empty ? 0 : gradeOf(query.target, thresholds);
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

/** A query and the document that is being drawn. */
class SyntheticQuery {
  readonly #text = new TextDocument();
  readonly #noise: number;
  readonly #emptyShare: number;
  readonly features = new Float64Array(FEATURES);
  empty = false;
  /** What the features tell of relevance, standardised. */
  signal = 0;
  target = 0;
  appeal = 0;
  habit = 0;
  #effect = 0;
  #unscaled: Moments = { mean: 0, deviation: 1 };

  /** The seed varies how much each ingredient of relevance weighs. */
  readonly #weights: Float64Array;

  constructor(seed: number, noise: number, emptyShare: number) {
    this.#noise = noise;
    this.#emptyShare = emptyShare;
    const random = new Random(seed, 'mslr');
    this.#weights = Float64Array.from({ length: 6 }, () => 0.8 + 0.4 * random.uniform());
    const sample = new Random(seed, 'signal');
    const signals = Float64Array.from({ length: SAMPLE_QUERIES }, () => {
      this.draw(sample);
      this.drawDocument(sample);
      return this.signal;
    });
    this.#unscaled = moments(signals);
  }

  draw(random: Random): void {
    this.empty = random.uniform() < this.#emptyShare;
    this.#effect = 0.6 * random.gaussian();
    this.#text.drawQuery(random);
  }

  drawDocument(random: Random): void {
    const text = this.#text;
    const match = random.gaussian();
    const authority = random.gaussian();
    const quality = random.uniform();
    text.drawDocument(random, match, authority);
    this.features.set(text.features);

    const popularity = Math.exp(1.5 * authority + random.gaussian());
    const clicked =
      random.uniform() < 0.12 ? Math.ceil(Math.exp(1.2 * match + 0.5 * authority + random.gaussian())) : 0;
    const visited = clicked + (random.uniform() < 0.2 ? Math.ceil(4 * popularity) : 0);
    const slashes = 1 + Math.floor(-1.3 * Math.log(1 - random.uniform()));
    let f = TEXT_FEATURES;
    this.features[f++] = slashes;
    this.features[f++] = 12 + 9 * slashes + Math.floor(25 * random.uniform());
    this.features[f++] = random.uniform() < 0.4 ? 0 : Math.floor(3 * popularity);
    this.features[f++] = Math.floor(Math.exp(2.5 + 1.2 * random.gaussian()));
    this.features[f++] = Math.min(65_535, Math.floor(9000 * Math.exp(0.7 * authority + 0.3 * random.gaussian())));
    this.features[f++] = Math.min(65_535, Math.floor(20_000 * Math.exp(0.4 * authority + 0.5 * random.gaussian())));
    this.features[f++] = Math.floor(256 * quality);
    this.features[f++] = Math.floor(256 * Math.min(1, Math.abs(quality + 0.25 * random.gaussian())));
    this.features[f++] = clicked;
    this.features[f++] = visited;
    this.features[f++] = visited > 0 ? 60 * Math.exp(0.6 * random.gaussian() + 0.3 * match) : 0;

    const relevance = this.#relevance(authority, quality, slashes, clicked);
    this.signal = (relevance - this.#unscaled.mean) / this.#unscaled.deviation;
    this.target = this.#effect + this.signal + this.#noise * random.gaussian();
    this.habit = Math.log1p(clicked);
    this.appeal = 1.2 * (quality - 0.5) + 0.6 * authority + 0.7 * random.gaussian();
  }

  /** What the features tell, in deviations: saturation, gates and products that a weighted sum cannot follow. */
  #relevance(authority: number, quality: number, slashes: number, clicked: number): number {
    const { features, terms, idf, lengths } = this.#text;
    const w = this.#weights;
    const n = STREAMS.length;
    let idfSum = 0;
    for (let k = 0; k < terms; k++) idfSum += idf[k]!;
    const [body, anchor, title, url, whole] = [0, 1, 2, 3, 4] as const;
    const coverage = (stream: number) => features[n + stream]!;
    const bm25 = features[BM25 * n + body]! / (2.2 * idfSum); // 0 to 1
    const short = terms <= 2;
    // A text much shorter or longer than 500 words is less to the point.
    const fit = Math.exp(-(((Math.log(lengths[body]! + 1) - 6.2) / 1.2) ** 2));
    const site = Math.tanh(authority);
    const deep = slashes > 2 ? 1 : -1;
    let sum = w[0]! * 3 * bm25 * fit;
    sum += w[1]! * coverage(title) * (coverage(whole) === 1 ? 1 : 0.2);
    // Short queries look for a site, long ones for an answer deep within it.
    sum += w[2]! * (short ? 0.8 : -0.3) * (coverage(url) + 0.5 * coverage(anchor));
    sum += w[3]! * (short ? 0.8 : -0.5) * site * coverage(whole);
    sum -= w[4]! * (short ? 0.4 : -0.4) * deep;
    sum += w[5]! * 0.3 * Math.log1p(clicked);
    // Junk is not relevant whatever it says, and neither is what was written to please.
    return (quality < 0.25 ? 0.1 : quality > 0.75 ? 0.4 : 1) * sum;
  }
}

const BM25 = 21;

/** The share of a standard normal distribution below x, to about 0.01. */
function normalShare(x: number): number {
  return 1 / (1 + Math.exp(-1.702 * x));
}

/** At most six significant digits: short in text, and read back exactly. */
function shortDecimal(x: number): number {
  const size = Math.abs(x);
  const parts = size < 1 ? 1e6 : size < 100 ? 1e4 : size < 10_000 ? 1e2 : 1;
  return Math.round(x * parts) / parts;
}
