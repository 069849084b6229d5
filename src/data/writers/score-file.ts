/** Writes scores: one a line, with ids, or as a TREC run. Scores are the shortest decimals that read back to the same number. */
import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { inputOrder } from '../input-order.js';
import type { TextSink } from '../whole-file.js';

export interface ScoreFormat {
  readonly description: string;
  /** The lines, each with its line end. */
  lines(data: Dataset, scores: ArrayLike<number>, options: { tag: string }): Iterable<string>;
}

export const scoreFormats = {
  scores: {
    description: 'one score a line, in input row order',
    *lines(data, scores) {
      const order = inputOrder(data);
      for (let i = 0; i < data.rows; i++) yield `${scores[order?.[i] ?? i]!}\n`;
    },
  },
  ids: {
    description: 'query, document and score a line, separated by tabs, in input row order',
    *lines(data, scores) {
      const order = inputOrder(data);
      const queries = queryOfRow(data);
      for (let i = 0; i < data.rows; i++) {
        const row = order?.[i] ?? i;
        yield `${data.queryIds[queries[row]!]}\t${data.documentId(row)}\t${scores[row]!}\n`;
      }
    },
  },
  run: {
    description: 'a TREC run: query Q0 document rank score tag, best first, ties in input order',
    *lines(data, scores, { tag }) {
      oneField('run tag', tag);
      for (let q = 0; q < data.queries; q++) {
        const query = oneField('query id', data.queryIds[q]!);
        const start = data.offsets[q]!;
        const rows = Uint32Array.from({ length: data.offsets[q + 1]! - start }, (_, i) => start + i);
        rows.sort((a, b) => scores[b]! - scores[a]! || a - b);
        for (const [rank, row] of rows.entries()) {
          yield `${query} Q0 ${oneField('document id', data.documentId(row))} ${rank + 1} ${scores[row]!} ${tag}\n`;
        }
      }
    },
  },
} as const satisfies Record<string, ScoreFormat>;

export type ScoreFormatName = keyof typeof scoreFormats;

const CHUNK = 1 << 16;

export async function writeScores(
  sink: TextSink,
  data: Dataset,
  scores: ArrayLike<number>,
  options: { as?: ScoreFormatName; tag?: string } = {},
): Promise<void> {
  let text = '';
  for (const line of scoreFormats[options.as ?? 'scores'].lines(data, scores, { tag: options.tag ?? 'listwise' })) {
    text += line;
    if (text.length < CHUNK) continue;
    await sink.write(text);
    text = '';
  }
  await sink.write(text);
}

function queryOfRow(data: Dataset): Uint32Array {
  const queries = new Uint32Array(data.rows);
  for (let q = 0; q < data.queries; q++) queries.fill(q, data.offsets[q]!, data.offsets[q + 1]!);
  return queries;
}

/** Fields of a run are separated by blanks, so none may hold one. */
function oneField(what: string, text: string): string {
  if (/^\S+$/.test(text)) return text;
  throw new ListwiseError(
    'value-invalid',
    `the ${what} ${quote(text)} cannot stand in a run: it is empty or has blanks`,
  );
}
