/** What the command line has of the world: streams, environment, signals. Tests give their own. */
import type { Readable, Writable } from 'node:stream';
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
}
