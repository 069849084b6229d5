/**
 * Garbage collection now, of the calling thread. Shared memory is given back once no thread refers to it, which only a
 * collection finds out; one comes by itself when the small objects of a thread need room, which may be never.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectGarbage(): void {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
}
