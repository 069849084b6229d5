import type { Session } from 'node:inspector';

/**
 * Gives the free memory of the calling thread's heap back. V8 keeps what new objects took while a program started, and
 * as much again to move them to: beside the memory that threads share, tens of megabytes for nothing. Garbage
 * collection alone keeps it too; V8 gives it back when it is told that memory is low, which the inspector does. Where
 * Node has none, or may not use it (--permission), the heap stays as it is.
 */
export async function giveBackHeap(): Promise<void> {
  const session = await openSession();
  if (session === undefined) return;
  await new Promise<void>(resolve => session.post('HeapProfiler.collectGarbage', () => resolve()));
  session.disconnect();
}

async function openSession(): Promise<Session | undefined> {
  try {
    const inspector = await import('node:inspector');
    const session = new inspector.Session();
    session.connect();
    return session;
  } catch {
    return undefined;
  }
}
