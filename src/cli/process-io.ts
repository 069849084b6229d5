/** The process around the command line: its streams and signals. */
import { removeTemporaryFiles } from '../io/temporary-files.js';
import { type Io, isClosedPipe } from './io.js';
import { Signals } from './signals.js';
import { clearProgress } from './terminal/progress.js';

const { stdout, stderr, env } = process;
const signals = new Signals();
/** What the process gives the command line. */
export const io: Io = { stdout, stderr, stdin: () => process.stdin, env, signals };

/** Ends at once, with no half-written file left behind (whole-file.ts). */
function end(code: number): never {
  clearProgress();
  removeTemporaryFiles();
  process.exit(code);
}

// A closed pipe is no failure: where nobody reads results (`| head`) any more there is nothing left to do, unless a run
// is being recorded. Other failures of stdout are reported when the command has ended (run.ts). And where nobody can
// read notes, because of a closed pipe or a full disk, a model may still be wanted.
stdout.on('error', error => {
  if (isClosedPipe(stdout.errored ?? error) && !signals.watched) end(0);
});
stderr.on('error', () => {});

// Ctrl-C, kill and a lost connection end with the shell's own codes. A second signal has its usual effect even while
// the first is waiting for long work to end; but not before all is written.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  const heard = () => {
    if (signal === 'SIGHUP' && signals.hungUp()) return;
    const asked = () => process.off(signal, heard);
    // The end waits for files that are being opened, a pipe that nobody writes to among them: a second signal does not.
    const endNow = (own: number) => {
      asked();
      end(own);
    };
    signals.heard(code, { end: endNow, asked });
  };
  process.on(signal, heard);
}
