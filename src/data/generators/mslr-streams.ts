/**
 * The text features of MSLR-WEB10K: 25 statistics of how the query's terms occur in each of five streams of a document.
 * Term counts are drawn, the statistics are computed from them, so the columns are related to each other as in real
 * data.
 */
import type { Random } from '../../numeric/random.js';

export const STREAMS = ['body', 'anchor', 'title', 'url', 'whole document'] as const;

/** In the order of the features: statistic s of stream t is feature 5 s + t. */
export const STATISTICS = [
  'covered query terms',
  'covered query term ratio',
  'stream length',
  'inverse document frequency',
  ...['term frequency', 'term frequency / length', 'tf*idf'].flatMap(of =>
    ['sum', 'min', 'max', 'mean', 'variance'].map(how => `${how} of ${of}`),
  ),
  'boolean model',
  'vector space model',
  'BM25',
  'language model, absolute discounting',
  'language model, Dirichlet',
  'language model, Jelinek-Mercer',
] as const;

export const TEXT_FEATURES = STREAMS.length * STATISTICS.length;

export const MOST_TERMS = 10;

/** A query, and the document that is being drawn. */
export class TextDocument {
  terms = 0;
  readonly idf = new Float64Array(MOST_TERMS);
  /** The share of each term in all text. */
  readonly background = new Float64Array(MOST_TERMS);
  /** tf[t * MOST_TERMS + k]: how often term k occurs in stream t. */
  readonly tf = new Float64Array(STREAMS.length * MOST_TERMS);
  readonly lengths = new Float64Array(STREAMS.length);
  readonly features = new Float64Array(TEXT_FEATURES);

  drawQuery(random: Random): void {
    this.terms = Math.min(MOST_TERMS, 1 + Math.floor(-1.6 * Math.log(1 - random.uniform())));
    for (let k = 0; k < this.terms; k++) {
      this.idf[k] = 1 + 9 * random.uniform() ** 0.8;
      this.background[k] = Math.exp(-this.idf[k]! - 1);
    }
  }

  /** A document that matches the query's topic by `match` and is linked to by `authority`, both standard normal. */
  drawDocument(random: Random, match: number, authority: number): void {
    const { lengths, tf, terms } = this;
    const [body, anchor, title, url, whole] = [0, 1, 2, 3, 4] as const;
    lengths[body] = random.uniform() < 0.02 ? 0 : Math.ceil(Math.exp(6 + 1.1 * random.gaussian()));
    lengths[anchor] = random.uniform() < 0.5 ? 0 : Math.ceil(Math.exp(2 + 0.8 * authority + 1.3 * random.gaussian()));
    lengths[title] = random.uniform() < 0.03 ? 0 : 2 + Math.floor(6 * random.uniform() + 6 * random.uniform());
    lengths[url] = 3 + Math.floor(10 * random.uniform() ** 2);
    for (let k = 0; k < terms; k++) {
      // A rare term occurs less often; an exponential mixture gives counts their heavy tail.
      const rate = Math.exp(0.9 * match - 0.12 * this.idf[k]! + 0.7);
      const amount = -Math.log(1 - random.uniform());
      const inBody = Math.floor(rate * amount * (lengths[body]! / 400) ** 0.4);
      const inAnchor = Math.floor(rate * 0.35 * lengths[anchor]! ** 0.6 * -Math.log(1 - random.uniform()));
      const inTitle = random.uniform() < 1 / (1 + Math.exp(0.2 - 1.4 * match)) ? 1 : 0;
      const inUrl = random.uniform() < 1 / (1 + Math.exp(1.3 - 1.1 * match)) ? 1 : 0;
      tf[body * MOST_TERMS + k] = Math.min(inBody, lengths[body]!);
      tf[anchor * MOST_TERMS + k] = Math.min(inAnchor, lengths[anchor]!);
      tf[title * MOST_TERMS + k] = lengths[title] === 0 ? 0 : inTitle;
      tf[url * MOST_TERMS + k] = inUrl;
    }
    lengths[whole] = lengths[body]! + lengths[anchor]! + lengths[title]! + lengths[url]!;
    for (let k = 0; k < terms; k++) {
      let sum = 0;
      for (let t = 0; t < whole; t++) sum += tf[t * MOST_TERMS + k]!;
      tf[whole * MOST_TERMS + k] = sum;
    }
    for (let t = 0; t < STREAMS.length; t++) this.#statistics(t);
  }

  /** Length of each stream in a usual document, for the ranking functions. */
  static readonly #usual = Float64Array.of(730, 30, 8, 6, 780);

  #statistics(t: number): void {
    const { idf, background, tf, terms, features } = this;
    const n = STREAMS.length;
    const length = this.lengths[t]!;
    const usual = TextDocument.#usual[t]!;
    const perWord = length > 0 ? 1 / length : 0;
    let covered = 0;
    let [idfSum, idfSquares, cosine, bm25] = [0, 0, 0, 0];
    let [sum, squares, least, greatest] = [0, 0, Number.POSITIVE_INFINITY, 0];
    let [sumIdf, squaresIdf, leastIdf, greatestIdf] = [0, 0, Number.POSITIVE_INFINITY, 0];
    // Language models: the probability of the query, as a product; the feature is its logarithm.
    let [absolute, dirichlet, mercer] = [1, 1, 1];
    for (let k = 0; k < terms; k++) {
      const f = tf[t * MOST_TERMS + k]!;
      const w = idf[k]!;
      const everywhere = background[k]!;
      if (f > 0) covered++;
      idfSum += w;
      idfSquares += w * w;
      sum += f;
      squares += f * f;
      least = Math.min(least, f);
      greatest = Math.max(greatest, f);
      sumIdf += f * w;
      squaresIdf += f * w * f * w;
      leastIdf = Math.min(leastIdf, f * w);
      greatestIdf = Math.max(greatestIdf, f * w);
      cosine += f * w * w;
      bm25 += (w * f * 2.2) / (f + 1.2 * (0.25 + (0.75 * length) / usual));
      absolute *= (Math.max(f - 0.5, 0) + 0.5 * (covered + 1) * everywhere) / (length + 1);
      dirichlet *= (f + 2 * usual * everywhere) / (length + 2 * usual);
      mercer *= 0.9 * f * perWord + 0.1 * everywhere;
    }
    const mean = sum / terms;
    const variance = Math.max(0, squares / terms - mean * mean);
    const meanIdf = sumIdf / terms;
    let s = t;
    const put = (value: number) => {
      features[s] = value;
      s += n;
    };
    put(covered);
    put(covered / terms);
    put(length);
    put(idfSum * (1 + 0.05 * t)); // the same for every document of a query
    put(sum);
    put(least);
    put(greatest);
    put(mean);
    put(variance);
    put(sum * perWord);
    put(least * perWord);
    put(greatest * perWord);
    put(mean * perWord);
    put(variance * perWord * perWord);
    put(sumIdf);
    put(leastIdf);
    put(greatestIdf);
    put(meanIdf);
    put(Math.max(0, squaresIdf / terms - meanIdf * meanIdf));
    put(covered === terms ? 1 : 0);
    put(length > 0 ? cosine / Math.sqrt(idfSquares * length) : 0);
    put(bm25);
    put(Math.log(absolute));
    put(Math.log(dirichlet));
    put(Math.log(mercer));
  }
}
