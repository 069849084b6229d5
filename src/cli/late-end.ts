/**
 * A rank that was asked to end waits for the others to leave an iteration together. Where that takes too long it ends
 * by itself, and its launcher ends the others: all of them are gone within ten seconds of the signal.
 */
import type { Transport } from '../ranks/transport.js';
import { Crew } from '../threads/crew.js';
import type { LateEnd } from './late-end-worker.js';
import type { Signals } from './signals.js';

/** A launcher takes a second or two of its own. */
const WAIT_MS = 6000;

export async function endingSoon<T>(
  { rank, size }: Pick<Transport, 'rank' | 'size'>,
  signals: Signals,
  work: () => Promise<T>,
  ms: number = WAIT_MS,
): Promise<T> {
  if (size === 1) return work();
  const signal = signals.interruptible();
  let thread: Crew | undefined;
  // A thread of its own: this one may be waiting within MPI.
  const asked = () => {
    const job: LateEnd = { rank, ms, code: signals.code! };
    thread = new Crew(new URL('./late-end-worker.js', import.meta.url), [job], { background: true });
    thread.ready.catch(() => {}); // without it, the end of the iteration is waited for
  };
  signal.addEventListener('abort', asked, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', asked);
    await thread?.close();
  }
}
