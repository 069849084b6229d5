/** Rows that were parsed in one thread, on their way to the data set that another builds. */

import type { ErrorCode } from '../../../errors.js';
import { RUN } from '../../../kernels/layouts/parse-svmlight.js';
import type { PieceSpan } from '../../../kernels/parse-svmlight.js';
import type { Piece } from '../../dataset-builder.js';
import { PRIMARY_LABEL } from '../../primary-label.js';
import { idText } from '../../string-table.js';

/** A mistake in the data; its line counts from 1 at the first line of the piece. */
export interface Problem {
  code: ErrorCode;
  detail: string;
  line: number;
  column: number;
}

export interface ParsedPiece extends PieceSpan {
  /** What is wrong with the line after these rows. */
  problem?: Problem;
  /** What to say of the first row without a query, should other rows of the file have one. */
  queryAbsent?: Problem;
}

/** The rows as the builder takes them; nothing is copied. `queries` replaces those that the rows name. */
export function builderPiece(
  memory: WebAssembly.Memory,
  span: PieceSpan,
  queries: { id: string; rows: number }[] | undefined,
): Piece {
  const { buffer } = memory;
  return {
    rows: span.rows,
    width: span.width,
    stride: span.stride,
    columns: new Float32Array(buffer, span.columns, span.width * span.stride),
    labels: { [PRIMARY_LABEL]: new Float64Array(buffer, span.labels, span.rows) },
    queries: queries ?? namedQueries(buffer, span),
    documentIds:
      span.documentCount === 0
        ? undefined
        : { bytes: new Uint8Array(buffer), spans: new Uint32Array(buffer, span.documents, 2 * span.rows) },
  };
}

function namedQueries(buffer: ArrayBuffer, span: PieceSpan): { id: string; rows: number }[] {
  const runs = RUN.view(buffer, span.runs);
  return Array.from({ length: span.runCount }, (_, i) => {
    const { id, length, rows } = runs.at(i);
    return { id: idText(new Uint8Array(buffer, id, length)), rows };
  });
}
