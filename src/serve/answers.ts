/** Errors as answers: a status, a code of ours, and a message without any path of the machine. */
import { type ErrorCode, ListwiseError } from '../errors.js';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  'request-unauthorised': 401,
  'route-unknown': 404,
  'model-unknown': 404,
  'request-timeout': 408,
  'request-too-large': 413,
  'server-busy': 503,
};

export function errorAnswer(error: unknown): Answer {
  if (!(error instanceof ListwiseError)) {
    return {
      status: 500,
      text: JSON.stringify({ error: { code: 'internal', message: 'the server failed; see its log' } }),
    };
  }
  // `detail` is the message without the file that it is about.
  const { code, detail } = error;
  return { status: STATUS[code] ?? 400, text: JSON.stringify({ error: { code, message: detail } }) };
}

/** For the log: where in the code a failure came from that is no mistake of a user. */
export function internalFailure(error: unknown): string {
  return `internal failure: ${(error as Error)?.stack ?? error}`;
}
