/**
 * Bodies of requests are memory outside of V8's heap, which a minor collection frees once they are answered. V8 starts
 * one when its heap has filled up, which bodies hardly do; before that their sum looks to it like a shortage, and it
 * marks all of the heap, several times a second, while requests wait. So minor collections are asked for in time: each
 * takes a fraction of a millisecond, and the memory of the process stays smaller by a third.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of bodies between two collections. With twice as many V8 begins to mark; with half it takes as long. */
const BYTES = 4 << 20;

type Collect = (options: { type: 'minor' }) => void;

export class BodyGarbage {
  readonly #collect = minorCollection();
  #bytes = 0;

  /** A body of so many bytes was read. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < BYTES) return;
    this.#bytes = 0;
    // Behind the answers that are ready.
    setImmediate(() => this.#collect?.({ type: 'minor' }));
  }
}

/** V8's own; where it has none, collections come when V8 likes. */
function minorCollection(): Collect | undefined {
  setFlagsFromString('--expose_gc');
  const found: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--noexpose_gc');
  // Little is left of four megabytes: waking threads to share in that takes longer, and they take others' cores.
  setFlagsFromString('--no_parallel_scavenge');
  return typeof found === 'function' ? options => void found(options) : undefined;
}
