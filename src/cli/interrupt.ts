/**
 * Ctrl-C and kill: a command that can end cleanly asks to be told; any other ends at once, and so does a second signal.
 */

let controller: AbortController | undefined;
let received: number | undefined;
const watchers = new Set<SignalWatcher>();

/** Something that must not be left as it is when a signal comes. */
export interface SignalWatcher {
  /** The command was told and ends by itself; a second signal may end the process before that. */
  told(): void;
  /** The process ends now. */
  ending(): void;
}

/** From now on a signal aborts this instead of ending the process. */
export function interruptible(): AbortSignal {
  controller ??= new AbortController();
  return controller.signal;
}

/** Gives a function that calls it off. */
export function watchSignals(watcher: SignalWatcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether something is under way that must not be left as it is. */
export function isWatched(): boolean {
  return watchers.size > 0;
}

/** The exit code of the signal that came, if one did. */
export function interruptCode(): number | undefined {
  return received;
}

/** Calls `end` with the shell's own exit code, unless a command ends by itself. */
export function onSignals(end: (code: number) => void): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const heard = () => {
      received = code;
      if (controller === undefined) {
        for (const watcher of watchers) watcher.ending();
        return end(code);
      }
      for (const watcher of watchers) watcher.told();
      // A second signal has its usual effect even while the first is waiting for long work to end; but not before all
      // is told.
      process.off(signal, heard);
      controller.abort();
    };
    process.on(signal, heard);
  }
}
