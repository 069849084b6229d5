/** Writes scores of data that comes whole or in batches (see `readBatches`), in any layout of score files. */

import type { TextSink } from '../../io/whole-file.js';
import type { Dataset } from '../dataset.js';
import { IdNumbers } from '../id-numbers.js';
import { inputOrder } from '../input-order.js';
import { queryOfRow } from '../query-of-row.js';
import { queryComesAgain } from '../read/batches.js';
import type { ScoreFormat } from './score-file.js';

/** Characters that are written at a time. */
const CHUNK = 1 << 16;

/** A query whose rows are still coming: documents and scores in the order of the input. */
interface OpenQuery {
  readonly id: string;
  readonly documents: string[];
  readonly scores: number[];
}

export class ScoreWriter {
  readonly #sink: TextSink;
  readonly #format: ScoreFormat;
  readonly #tag: string;
  #text = '';
  #open: OpenQuery | undefined;
  /** Ids of queries whose lines are written. */
  readonly #written = new IdNumbers();

  constructor(sink: TextSink, format: ScoreFormat, tag: string) {
    this.#sink = sink;
    this.#format = format;
    this.#tag = tag;
  }

  /** `width` numbers a row; layouts by query take one. */
  async write(data: Dataset, scores: ArrayLike<number>, width = 1): Promise<void> {
    const format = this.#format;
    if (format.by === 'row') {
      const order = inputOrder(data);
      const queries = queryOfRow(data);
      for (let i = 0; i < data.rows; i++) {
        const row = order?.[i] ?? i;
        const waits = this.#line(format.line(data, queries[row]!, row, shown(scores, row, width)));
        if (waits !== undefined) await waits;
      }
    } else for (let q = 0; q < data.queries; q++) await this.#addToQuery(data, scores, q);
    await this.#flush();
  }

  /** To be called after the last row. */
  async finish(): Promise<void> {
    await this.#closeQuery();
    await this.#flush();
  }

  /** The last query of a batch can go on in the next: it is written when another one begins. */
  async #addToQuery(data: Dataset, scores: ArrayLike<number>, query: number): Promise<void> {
    const id = data.queryIds[query]!;
    if (this.#open?.id !== id) {
      await this.#closeQuery();
      const row = data.offsets[query]!;
      if (this.#written.has(id)) throw queryComesAgain(id, data.inputRows?.[row] ?? row, 'a layout by query');
      this.#open = { id, documents: [], scores: [] };
    }
    for (let row = data.offsets[query]!; row < data.offsets[query + 1]!; row++) {
      this.#open.documents.push(data.documentId(row));
      this.#open.scores.push(scores[row]!);
    }
  }

  async #closeQuery(): Promise<void> {
    const query = this.#open;
    if (query === undefined || this.#format.by !== 'query') return;
    this.#open = undefined;
    this.#written.add(query.id);
    for (const line of this.#format.lines(query.id, query.documents, query.scores, this.#tag)) {
      const waits = this.#line(line);
      if (waits !== undefined) await waits;
    }
  }

  /** Not a promise where there is nothing to wait for: there are many lines. */
  #line(line: string): Promise<void> | undefined {
    this.#text += `${line}\n`;
    return this.#text.length < CHUNK ? undefined : this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#sink.write(text);
  }
}

function shown(scores: ArrayLike<number>, row: number, width: number): string {
  if (width === 1) return String(scores[row]);
  return Array.from({ length: width }, (_, i) => scores[row * width + i]).join('\t');
}
