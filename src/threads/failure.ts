/** What a thread threw, as a message to another: a mistake of the user keeps its code and place, all else its stack. */
import { type ErrorCode, ListwiseError, type Place } from '../errors.js';

export interface Failure {
  readonly code?: ErrorCode;
  readonly text: string;
  readonly place?: Place;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof ListwiseError) return { code: error.code, text: error.detail, place: error.place };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function fromFailure({ code, text, place }: Failure): Error {
  if (code !== undefined) return new ListwiseError(code, text, place);
  // Memory that could not be had is told by the kind of error.
  return text.startsWith('RangeError: ') ? new RangeError(text) : new Error(text);
}

/** The bytes of a failure in shared memory. */
const BYTES = 8192;
/** So many characters of a text are kept: with escapes and wide letters they fit. */
const MOST = 1000;

export function failureMessage(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(BYTES));
}

/** Called by one thread alone: the first that failed. */
export function writeFailure(message: Uint8Array, error: unknown): void {
  const failure = toFailure(error);
  const text = JSON.stringify({ ...failure, text: failure.text.slice(0, MOST) });
  message.fill(0);
  message.set(new TextEncoder().encode(text).subarray(0, BYTES));
}

export function readFailure(message: Uint8Array): Error {
  const bytes = Uint8Array.from(message);
  const end = bytes.indexOf(0);
  return fromFailure(JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Failure);
}
