/**
 * Long work in steps: a generator that yields the share done so far, from 0 to 1, and returns the result. A library
 * call runs it at once; the command line lets signals through between steps and shows how far it is. Nothing here is
 * imported from Node, since browsers explain scores, too.
 */
export type Steps<T> = Generator<number, T, void>;

/** Looks at single documents or pairs between two steps: some hundredths of a second where each takes longest. */
export const LOOKS_A_STEP = 1 << 20;

/** Work between two looks at signals and timers. */
const YIELD_MS = 40;

/** `progress` is called with the share done. */
export function atOnce<T>(steps: Steps<T>, progress: (share: number) => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    progress(step.value);
  }
}

/** Quick work, where steps are asked for. */
export function* inOneStep<T>(work: () => T): Steps<T> {
  const result = work();
  yield 1;
  return result;
}

/** `progress` is called with the share done; `ms` are worked between two looks at events. */
export async function inTurns<T>(
  steps: Steps<T>,
  progress: (share: number) => void = () => {},
  ms = YIELD_MS,
): Promise<T> {
  const turns = new Turns(ms);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    progress(step.value);
    if (turns.due) await turns.pause();
  }
}

/** When to let events through; for work of many parts, each of which may be shorter than the time between two looks. */
export class Turns {
  readonly #ms: number;
  #paused = performance.now();

  constructor(ms = YIELD_MS) {
    this.#ms = ms;
  }

  get due(): boolean {
    return performance.now() - this.#paused > this.#ms;
  }

  async pause(): Promise<void> {
    await new Promise<void>(resolve => setImmediate(resolve));
    this.#paused = performance.now();
  }

  /** The result of the steps; undefined where the signal came before the end. */
  async unlessAborted<T>(steps: Steps<T>, signal: AbortSignal): Promise<T | undefined> {
    for (;;) {
      if (this.due) await this.pause();
      if (signal.aborted) return undefined;
      const step = steps.next();
      if (step.done) return step.value;
    }
  }
}

/** Steps that are the part from `from` to `to` of larger work. */
export function* partOf<T>(steps: Steps<T>, from: number, to: number): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}
