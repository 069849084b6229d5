/** Bodies of requests, for every server of ours. */
import type { IncomingMessage } from 'node:http';
import { ListwiseError } from '../errors.js';

/** The body comes in the pieces that it came in. */
type TakeBody = (error: unknown, body?: readonly Buffer[]) => void;

/** The body, at once refused where it says that it has more than `most` bytes, or where it turns out to. */
export function readBody(request: IncomingMessage, most: number, done: TakeBody): void {
  const tooLarge = () => new ListwiseError('request-too-large', `the body has more than ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) {
    request.resume();
    done(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let refused = false;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (refused) return;
    if (bytes > most) {
      refused = true;
      chunks.length = 0;
      done(tooLarge());
    } else chunks.push(chunk);
  });
  request.on('end', () => {
    if (!refused) done(undefined, chunks);
  });
  request.on('error', () => {}); // the client went away: nobody is left to answer
}
