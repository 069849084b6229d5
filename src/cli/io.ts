/** What the command line has of the world: streams, environment, signals. Tests give their own. */
import type { Readable, Writable } from 'node:stream';
import { unwritable } from '../io/unwritable.js';
import type { Transport } from '../ranks/transport.js';
import type { Signals } from './signals.js';
import type { Environment } from './terminal/terminal.js';

export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Asked for when something is read from it. */
  readonly stdin: () => Readable;
  readonly env: Environment;
  readonly signals: Signals;
  /** This process and the others of the run, where a launcher of MPI programs started several. */
  readonly ranks?: Transport;
}

/** Whether writing failed because nobody reads any more. */
export function isClosedPipe({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(code);
}

/** Why results did not reach whoever reads them, in plain words. */
export function lostResults({ errored }: TextStream, error: unknown): unknown {
  return unwritable('standard output', errored ?? error);
}

/** Waits until all of the results are written. */
export function resultsWritten(stdout: TextStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write('', error => {
      if (!error || isClosedPipe(stdout.errored ?? error)) resolve();
      else reject(lostResults(stdout, error));
    });
  });
}
