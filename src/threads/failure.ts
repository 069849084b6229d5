/** What a thread threw, through shared memory: a mistake of the user keeps its code and place, all else its stack. */
import { type ErrorCode, ListwiseError, type Place } from '../errors.js';

const BYTES = 8192;
/** So many characters of a text are told: with escapes and wide letters they fit. */
const MOST = 1000;

interface Told {
  readonly code?: ErrorCode;
  readonly text: string;
  readonly place?: Place;
}

export function failureMessage(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(BYTES));
}

/** Called by one thread alone: the first that failed. */
export function writeFailure(message: Uint8Array, error: unknown): void {
  const told: Told =
    error instanceof ListwiseError
      ? { code: error.code, text: error.detail.slice(0, MOST), place: error.place }
      : { text: (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, MOST) };
  message.fill(0);
  message.set(new TextEncoder().encode(JSON.stringify(told)).subarray(0, BYTES));
}

export function readFailure(message: Uint8Array): Error {
  const bytes = Uint8Array.from(message);
  const end = bytes.indexOf(0);
  const { code, text, place } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Told;
  return code === undefined ? new Error(text) : new ListwiseError(code, text, place);
}
