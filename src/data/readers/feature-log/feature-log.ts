/** Feature logs of search engines, with judgments beside them: see docs/decisions/feature-logs.md for the rules. */
import { basename } from 'node:path';
import { few, ListwiseError, plural, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { PRIMARY_LABEL } from '../../dataset.js';
import type { Reader, ReadOptions, RowSink } from '../reader.js';
import { type LoggedDocument, type LoggedFeature, loggedDocuments } from './logged-documents.js';
import { responsesIn } from './responses.js';

export const featureLog: Reader = {
  name: 'ltrlog',
  title: 'feature logs of Elasticsearch and OpenSearch (responses with _ltrlog)',
  extensions: ['json'],
  log: true,
  async stream(inputs, options, sink) {
    const log = new LogRows(options, sink);
    for (const input of inputs) {
      const query = options.queryFrom === 'file' ? queryOfFile(input) : undefined;
      for await (const response of responsesIn(input)) await log.append(loggedDocuments(response, query));
    }
    log.finish();
  },
};

/** `logs/q1.json.gz` is of query q1. */
function queryOfFile(input: Input): string {
  if (input.path !== undefined) return basename(input.path).replace(/(\.[A-Za-z0-9]+)?(\.gz)?$/, '');
  throw new ListwiseError('option-invalid', '`queryFrom: file` needs files; stdin and pipes have no name');
}

class LogRows {
  readonly #options: ReadOptions;
  readonly #sink: RowSink;
  #begun = false;
  #names: readonly string[] = [];
  #place = new Map<string, number>();
  /** Documents by query, to find those that are logged twice. */
  readonly #seen = new Map<string, Set<string>>();
  readonly #unjudged: string[] = [];
  #values = 0;
  #absent = 0;

  constructor(options: ReadOptions, sink: RowSink) {
    this.#options = options;
    this.#sink = sink;
  }

  async append(documents: Iterable<LoggedDocument>): Promise<void> {
    const rows = [...documents].flatMap(document => {
      this.#checkDuplicate(document);
      const label = this.#gradeOf(document);
      return label === undefined ? [] : [{ document, label }];
    });
    const [first] = rows;
    if (first === undefined) return;
    if (!this.#begun) {
      this.#begun = true;
      this.#names = first.document.features.map(({ name }) => name);
      this.#place = new Map(this.#names.map((name, f) => [name, f]));
      this.#sink.begin({ absent: Number.NaN, featureNames: this.#names });
    }
    const width = this.#names.length;
    const columns = new Float32Array(rows.length * width);
    for (const [i, { document }] of rows.entries()) {
      this.#checkFeatures(document);
      for (const feature of document.features) {
        columns[this.#place.get(feature.name)! * rows.length + i] = this.#valueOf(feature);
      }
    }
    await this.#sink.append({
      rows: rows.length,
      width,
      stride: rows.length,
      columns,
      labels: { [PRIMARY_LABEL]: Float64Array.from(rows, ({ label }) => label) },
      queries: rows.map(({ document }) => ({ id: document.query, rows: 1 })),
      documentIds: rows.map(({ document }) => document.id),
    });
  }

  #checkDuplicate({ query, id, place }: LoggedDocument): void {
    let seen = this.#seen.get(query);
    if (seen === undefined) this.#seen.set(query, (seen = new Set()));
    if (seen.has(id))
      throw place.error('document-duplicate', `document ${quote(id)} of query ${quote(query)} is logged twice`);
    seen.add(id);
  }

  /** The label; undefined for a document that is to be left out. */
  #gradeOf({ query, id, place }: LoggedDocument): number | undefined {
    const { judged, unjudged = 'refuse' } = this.#options;
    const grade = judged?.grade(query, id);
    if (grade !== undefined || judged === undefined) return grade ?? Number.NaN;
    if (unjudged === 'refuse') {
      const advice = '`unjudged: drop` leaves such documents out, `unjudged: keep` keeps them without a label';
      const what = judged.queries.includes(query)
        ? `document ${quote(id)} of query ${quote(query)} has no judgment`
        : `query ${quote(query)} has no judgments; those of ${judged.file} are of ${few(judged.queries.map(quote))}`;
      throw place.error('judgment-missing', `${what} (${advice})`);
    }
    this.#unjudged.push(`${query} ${id}`);
    return unjudged === 'keep' ? Number.NaN : undefined;
  }

  /** Every entry must list the same features: another list is another feature set. */
  #checkFeatures({ features, place }: LoggedDocument): void {
    if (features.length === this.#names.length && features.every(({ name }) => this.#place.has(name))) return;
    const found = features.map(({ name }) => quote(name));
    throw place.error(
      'feature-mismatch',
      `the features are ${few(found)}; those of the first entry are ${few(this.#names.map(quote))}`,
    );
  }

  #valueOf({ name, value, place }: LoggedFeature): number {
    this.#values++;
    if (value !== undefined) return value;
    this.#absent++;
    const { absent = 'missing' } = this.#options;
    if (absent === 'refuse') throw place.error('feature-value-invalid', `feature ${quote(name)} has no value`);
    return absent === 'zero' ? 0 : Number.NaN;
  }

  finish(): void {
    const note = this.#options.note ?? (() => {});
    const { judged, unjudged, absent = 'missing' } = this.#options;
    if (this.#unjudged.length > 0) {
      const done = unjudged === 'keep' ? 'kept without a label' : 'left out';
      const documents = plural(this.#unjudged.length, 'logged document');
      note(`${documents} without a judgment, ${done}: ${few(this.#unjudged)}`);
    }
    if (judged === undefined) note('no `judgments`: the documents have no labels');
    else this.#noteUnlogged();
    if (!this.#begun) throw new ListwiseError('data-empty', 'no logged documents');
    if (this.#absent > 0) {
      const counted = absent === 'zero' ? 'counted as 0 (`absent: zero`)' : 'missing';
      note(`${this.#absent} of ${this.#values} feature values are not in the log (no match): ${counted}`);
    }
  }

  #noteUnlogged(): void {
    const { judged, note } = this.#options;
    const queries = judged!.queries.filter(query => !this.#seen.has(query));
    if (queries.length > 0)
      note?.(`${plural(queries.length, 'judged query', 'judged queries')} not in the log: ${few(queries)}`);
    const documents: string[] = [];
    for (const [query, id] of judged!.documents()) {
      const seen = this.#seen.get(query);
      if (seen !== undefined && !seen.has(id)) documents.push(`${query} ${id}`);
    }
    if (documents.length > 0)
      note?.(`${plural(documents.length, 'judged document')} not in the log: ${few(documents)}`);
  }
}
