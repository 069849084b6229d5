/** Ends the process by the signal that it got, whatever its main thread is at. */
import { writeSync } from 'node:fs';
import type { Service } from '../threads/crew.js';

export interface LateEnd {
  readonly rank: number;
  readonly ms: number;
  /** The exit code that says the signal. */
  readonly code: number;
}

export function serve({ rank, ms, code }: LateEnd): Service {
  setTimeout(() => {
    try {
      writeSync(
        2,
        `rank ${rank} got a signal, and not all ranks came to the end of their work within ${ms / 1000} s: they are ended as they are; a checkpoint stays as it was\n`,
      );
    } catch {
      // Nobody can read it.
    }
    // No longer listened to after the first one (process-io.ts), so that the system ends the process.
    process.kill(process.pid, code - 128);
  }, ms);
  return {};
}
