/** Ctrl-C and kill: a command that can end cleanly asks to be told; any other ends at once, and so does a second signal. */

let controller: AbortController | undefined;
let received: number | undefined;

/** From now on a signal aborts this instead of ending the process. */
export function interruptible(): AbortSignal {
  controller ??= new AbortController();
  return controller.signal;
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
    process.once(signal, () => {
      received = code;
      if (controller === undefined) end(code);
      else controller.abort();
    });
  }
}
