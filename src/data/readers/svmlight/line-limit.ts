/** Lines may be of any length that a string can hold, which the wording of errors needs. */
import { ListwiseError } from '../../../errors.js';

export const MAX_LINE_BYTES = 1 << 28;

export function lineTooLong(): ListwiseError {
  return new ListwiseError('data-too-large', `a line is longer than ${MAX_LINE_BYTES} bytes`);
}
