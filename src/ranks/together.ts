/**
 * Work of every rank by itself, before they go on together. A mistake that some of them find is thrown by all, and says
 * whose it is: rank 0 reports it, and nobody waits for a rank that has given up.
 */
import { ListwiseError } from '../errors.js';
import { gatherValues } from './gathered.js';
import type { Transport } from './transport.js';

const shared = new WeakSet<object>();

/** Whether every rank has this error, so that one of them need report it. */
export function isShared(error: unknown): boolean {
  return error instanceof ListwiseError && shared.has(error);
}

/** An error that every rank comes to, or `shown` in its place. */
export function share<E>(error: unknown, shown: E): E {
  if (isShared(error) && shown instanceof ListwiseError) shared.add(shown);
  return shown;
}

/** A mistake that every rank finds, because it is one of what they were told of each other. */
export function ofAll(error: ListwiseError): ListwiseError {
  shared.add(error);
  return error;
}

/** `work` makes no call that waits for other ranks. */
export async function together<T>(ranks: Transport, work: () => T | Promise<T>): Promise<T> {
  if (ranks.size === 1) return work();
  let done: { readonly value: T } | undefined;
  let failed: ListwiseError | undefined;
  try {
    done = { value: await work() };
  } catch (error) {
    if (!(error instanceof ListwiseError)) throw error;
    failed = error;
  }
  await ranks.meet();
  const { code, detail, place, message } = failed ?? {};
  const found = gatherValues(ranks, { code, detail, place, message });
  const first = found.find(own => own.code !== undefined);
  if (first === undefined) return done!.value;
  const whose = [...found.keys()].filter(rank => found[rank]!.message === first.message);
  const where = whose.length === ranks.size ? '' : ` (on ${ranksInWords(whose)})`;
  throw ofAll(new ListwiseError(first.code!, `${first.detail}${where}`, first.place));
}

/** `rank 1`, or `ranks 1, 2`. */
export function ranksInWords(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'rank' : 'ranks'} ${numbers.join(', ')}`;
}
