/** A model given where data is asked for: what is wrong is not its first line. */
import { type ErrorCode, ListwiseError } from '../errors.js';

/** What readers of data, scores and other values say of a text that is something else. */
const OF_CONTENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['label-invalid', 'table-syntax', 'data-binary', 'data-empty', 'query-missing', 'feature-syntax'] as const),
  ...(['column-unknown', 'column-type', 'row-ragged', 'score-invalid', 'value-invalid'] as const),
]);

/** The error itself, or what it comes from where the file is a model. */
export async function modelForData(error: unknown): Promise<unknown> {
  if (!(error instanceof ListwiseError) || !OF_CONTENT.has(error.code)) return error;
  const { file } = error.place;
  const { modelFormat } = await import('../interop/open-model.js');
  const format = file === undefined ? undefined : await modelFormat(file);
  if (format === undefined) return error;
  return new ListwiseError(
    'data-format',
    `it is a model (${format.name}), where data or another file of values is asked for`,
    { file },
  );
}
