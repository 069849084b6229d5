/**
 * A query of made-up web search and its documents: term counts are drawn and features computed from them. Relevance is
 * a nonlinear function of the features, an effect of the query, and noise.
 */
import { Random } from '../../numeric/random.js';
import { type Moments, moments } from './grades.js';
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

/** Of a document: those of its text, then those of the document. */
export const WEB_FEATURES = TEXT_FEATURES + DOCUMENT_FEATURES.length;

/** Documents, each of a query of its own, from which the signal's mean and deviation are read off. */
const SAMPLE = 3000;

/** A query and the document that is being drawn. */
export class WebQuery {
  readonly #text = new TextDocument();
  readonly #noise: number;
  readonly #emptyShare: number;
  readonly features = new Float64Array(WEB_FEATURES);
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
    const signals = Float64Array.from({ length: SAMPLE }, () => {
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

/** At most six significant digits: short in text, and read back exactly. */
export function shortDecimal(x: number): number {
  const size = Math.abs(x);
  const parts = size < 1 ? 1e6 : size < 100 ? 1e4 : size < 10_000 ? 1e2 : 1;
  return Math.round(x * parts) / parts;
}
