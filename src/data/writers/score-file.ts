/** Score files: one score a line, with ids, or a TREC run. Scores are the shortest decimals that read back the same. */
import { ListwiseError, quote } from '../../errors.js';
import type { TextSink } from '../../io/whole-file.js';
import type { Dataset } from '../dataset.js';
import { ScoreWriter } from './score-writer.js';

/** A line for each row, in the order of the input. */
interface LayoutByRow {
  readonly description: string;
  readonly by: 'row';
  /** Without the line end; `score` as it is written. */
  line(data: Dataset, query: number, row: number, score: string): string;
}

/** Lines for each query, in the order in which the queries first appear. */
interface LayoutByQuery {
  readonly description: string;
  readonly by: 'query';
  /** Documents and their scores come in the order of the input. */
  lines(query: string, documents: readonly string[], scores: readonly number[], tag: string): Iterable<string>;
}

export type ScoreFormat = LayoutByRow | LayoutByQuery;

export const scoreFormats = {
  scores: {
    description: 'one score a line, in input row order',
    by: 'row',
    line: (_data, _query, _row, score) => score,
  },
  ids: {
    description: 'query, document and score a line, separated by tabs, in input row order',
    by: 'row',
    line: (data, query, row, score) => `${data.queryIds[query]}\t${data.documentId(row)}\t${score}`,
  },
  run: {
    description: 'a TREC run: query Q0 document rank score tag, best first, ties in input order',
    by: 'query',
    *lines(query, documents, scores, tag) {
      oneField('run tag', tag);
      oneField('query id', query);
      const order = [...documents.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
      for (const [rank, i] of order.entries()) {
        yield `${query} Q0 ${oneField('document id', documents[i]!)} ${rank + 1} ${scores[i]!} ${tag}`;
      }
    },
  },
} as const satisfies Record<string, ScoreFormat>;

export type ScoreFormatName = keyof typeof scoreFormats;

export interface LayoutOptions {
  /** `scores` where left out. */
  as?: ScoreFormatName | undefined;
  /** Name of the system in a run. */
  tag?: string | undefined;
}

/** The scores of a whole data set. */
export async function writeScores(
  sink: TextSink,
  data: Dataset,
  scores: ArrayLike<number>,
  { as = 'scores', tag = 'listwise' }: LayoutOptions = {},
): Promise<void> {
  const writer = new ScoreWriter(sink, scoreFormats[as], tag);
  await writer.write(data, scores);
  await writer.finish();
}

/** Fields of a run are separated by blanks, so none may hold one. */
function oneField(what: string, text: string): string {
  if (/^\S+$/.test(text)) return text;
  throw new ListwiseError(
    'value-invalid',
    `the ${what} ${quote(text)} cannot stand in a run: it is empty or has blanks`,
  );
}
