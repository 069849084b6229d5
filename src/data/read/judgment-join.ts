/** Gives documents the grades that judgments beside the data say, and tells what matches and what does not. */
import { type ErrorCode, few, type ListwiseError, plural, quote } from '../../errors.js';
import type { ReadOptions } from '../readers/reader.js';

/** Words for messages: a "logged document" is "logged" twice, or not in "the log". */
interface JoinWords {
  readonly document: string;
  readonly there: string;
  readonly place: string;
}

export class JudgmentJoin {
  readonly #options: ReadOptions;
  readonly #words: JoinWords;
  /** Documents by query, to find those that come twice. */
  readonly #seen = new Map<string, Set<string>>();
  readonly #unjudged: string[] = [];

  constructor(options: ReadOptions, words: JoinWords) {
    this.#options = options;
    this.#words = words;
  }

  /** The label of a document; undefined for one that is to be left out. `failure` makes an error with its place. */
  label(query: string, id: string, failure: (code: ErrorCode, detail: string) => ListwiseError): number | undefined {
    let seen = this.#seen.get(query);
    if (seen === undefined) this.#seen.set(query, (seen = new Set()));
    if (seen.has(id)) {
      const detail = `document ${quote(id)} of query ${quote(query)} is ${this.#words.there} twice`;
      throw failure('document-duplicate', detail);
    }
    seen.add(id);
    const { judged, unjudged = 'refuse' } = this.#options;
    const grade = judged?.grade(query, id);
    if (grade !== undefined || judged === undefined) return grade ?? Number.NaN;
    if (unjudged === 'refuse') {
      const advice = '`unjudged: drop` leaves such documents out, `unjudged: keep` keeps them without a label';
      const what = judged.queries.includes(query)
        ? `document ${quote(id)} of query ${quote(query)} has no judgment`
        : `query ${quote(query)} has no judgments; those of ${judged.file} are of ${few(judged.queries.map(quote))}`;
      throw failure('judgment-missing', `${what} (${advice})`);
    }
    this.#unjudged.push(`${query} ${id}`);
    return unjudged === 'keep' ? Number.NaN : undefined;
  }

  /** To be called after the last document. */
  finish(): void {
    const { judged, unjudged, note = () => {} } = this.#options;
    if (this.#unjudged.length > 0) {
      const done = unjudged === 'keep' ? 'kept without a label' : 'left out';
      const documents = plural(this.#unjudged.length, this.#words.document);
      note(`${documents} without a judgment, ${done}: ${few(this.#unjudged)}`);
    }
    if (judged === undefined) return;
    const queries = judged.queries.filter(query => !this.#seen.has(query));
    const { place } = this.#words;
    if (queries.length > 0)
      note(`${plural(queries.length, 'judged query', 'judged queries')} not in ${place}: ${few(queries)}`);
    const documents: string[] = [];
    for (const [query, id] of judged.documents()) {
      const seen = this.#seen.get(query);
      if (seen !== undefined && !seen.has(id)) documents.push(`${query} ${id}`);
    }
    if (documents.length > 0) note(`${plural(documents.length, 'judged document')} not in ${place}: ${few(documents)}`);
  }
}
