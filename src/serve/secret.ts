/** Compares what a request gives with a secret, in a time that says nothing of either. */
import { createHash, timingSafeEqual } from 'node:crypto';

export function isSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

/** All of the same length, as comparing needs them. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
