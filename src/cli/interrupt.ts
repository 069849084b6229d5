/** Ctrl-C and kill: a command that can end cleanly asks to be told; any other ends at once, and so does a second signal. */

let controller: AbortController | undefined;
let received: number | undefined;
const lastActs = new Set<() => void>();

/** From now on a signal aborts this instead of ending the process. */
export function interruptible(): AbortSignal {
  controller ??= new AbortController();
  return controller.signal;
}

/** What to do right before a signal ends the process; gives a function that calls it off. */
export function beforeEnding(act: () => void): () => void {
  lastActs.add(act);
  return () => lastActs.delete(act);
}

/** Whether something is under way that must not be left as it is. */
export function hasLastActs(): boolean {
  return lastActs.size > 0;
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
    // Once: a second signal has its usual effect even while the first is waiting for long work to end.
    process.once(signal, () => {
      received = code;
      if (controller !== undefined) return controller.abort();
      for (const act of lastActs) act();
      end(code);
    });
  }
}
