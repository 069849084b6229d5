/** Ctrl-C and kill: a command that can end cleanly is notified; any other ends at once, as by a second signal. */

/** Something that must not be left as it is when a signal comes. */
export interface SignalWatcher {
  /** The command was asked to end and ends by itself; a second signal may end the process before that. */
  asked(): void;
  /** The process ends now. */
  ending(): void;
}

export class Signals {
  #controller: AbortController | undefined;
  #code: number | undefined;
  #hangUp: (() => void) | undefined;
  readonly #watchers = new Set<SignalWatcher>();

  /** From now on a signal aborts this instead of ending the process. */
  interruptible(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** From now on a lost connection (SIGHUP) calls this instead, as servers use it. */
  onHangUp(again: () => void): void {
    this.#hangUp = again;
  }

  /** Whether the signal was taken for something else than an end. */
  hungUp(): boolean {
    this.#hangUp?.();
    return this.#hangUp !== undefined;
  }

  /** Gives a function that calls it off. */
  watch(watcher: SignalWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Whether something is under way that must not be left as it is. */
  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  /** The exit code of the signal that came, if one did. */
  get code(): number | undefined {
    return this.#code;
  }

  /** A signal came. Calls `end` unless the command ends by itself; then `told` is called before it is asked to. */
  heard(code: number, { end, asked }: { end(code: number): void; asked(): void }): void {
    this.#code = code;
    if (this.#controller === undefined) {
      for (const watcher of this.#watchers) watcher.ending();
      end(code);
      return;
    }
    for (const watcher of this.#watchers) watcher.asked();
    asked();
    this.#controller.abort();
  }
}
