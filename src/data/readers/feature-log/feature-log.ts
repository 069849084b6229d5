/** Feature logs of search engines, with judgments beside them: see docs/decisions/feature-logs.md for the rules. */
import { basename } from 'node:path';
import { few, ListwiseError, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { PRIMARY_LABEL } from '../../primary-label.js';
import { JudgmentJoin } from '../../read/judgment-join.js';
import type { Reader, ReadOptions, RowSink } from '../reader.js';
import { type LoggedDocument, type LoggedFeature, loggedDocuments } from './logged-documents.js';
import { responsesIn } from './responses.js';

export const featureLog: Reader = {
  name: 'ltrlog',
  title: 'feature logs of Elasticsearch and OpenSearch (responses with _ltrlog, or with scores of named queries)',
  extensions: ['json'],
  log: true,
  async stream(inputs, options, sink) {
    const log = new LogRows(options, sink);
    for (const input of inputs) {
      const query = options.queryFrom === 'file' ? queryOfFile(input) : undefined;
      for await (const response of responsesIn(input)) await log.append(loggedDocuments(response, query));
    }
    await log.finish();
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
  readonly #open: LoggedDocument[] = [];
  #names: readonly string[] = [];
  #place = new Map<string, number>();
  readonly #join: JudgmentJoin;
  #values = 0;
  #absent = 0;

  constructor(options: ReadOptions, sink: RowSink) {
    this.#options = options;
    this.#sink = sink;
    this.#join = new JudgmentJoin(options, { document: 'logged document', there: 'logged', place: 'the log' });
  }

  async append(documents: Iterable<LoggedDocument>): Promise<void> {
    const all = [...documents];
    if (all[0]?.open) this.#open.push(...all);
    else await this.#append(all);
  }

  /** Documents whose features are known when all of them are: what is not there did not match. */
  async #appendOpen(): Promise<void> {
    const places = new Map(this.#open.flatMap(({ features }) => features.map(one => [one.name, one.place])));
    const closed = this.#open.map(document => {
      const found = new Map(document.features.map(feature => [feature.name, feature]));
      const features = Array.from(places, ([name, place]) => found.get(name) ?? { name, value: undefined, place });
      return { ...document, features };
    });
    this.#open.length = 0;
    if (closed.length > 0) await this.#append(closed);
  }

  async #append(documents: readonly LoggedDocument[]): Promise<void> {
    const rows = documents.flatMap(document => {
      const { query, id, place } = document;
      const label = this.#join.label(query, id, (code, detail) => place.error(code, detail));
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

  async finish(): Promise<void> {
    await this.#appendOpen();
    const note = this.#options.note ?? (() => {});
    const { judged, unlabelled, absent = 'missing' } = this.#options;
    this.#join.finish();
    if (judged === undefined && !unlabelled) note('no `judgments`: the documents have no labels');
    if (!this.#begun) throw new ListwiseError('data-empty', 'no logged documents');
    if (this.#absent > 0) {
      const counted = absent === 'zero' ? 'counted as 0 (`absent: zero`)' : 'missing';
      note(`${this.#absent} of ${this.#values} feature values are not in the log (no match): ${counted}`);
    }
  }
}
