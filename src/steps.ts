/**
 * Long work in steps: a generator that yields the share done so far, from 0 to 1, and returns the result. A library call runs it at
 * once; the command line lets signals through between steps and shows how far it is.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';

export type Steps<T> = Generator<number, T, void>;

/** Work between two looks at signals and timers. */
const YIELD_MS = 40;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `progress` is told the share done. */
export async function inTurns<T>(steps: Steps<T>, progress: (share: number) => void = () => {}): Promise<T> {
  let yielded = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    progress(step.value);
    if (performance.now() - yielded <= YIELD_MS) continue;
    await yieldToEvents();
    yielded = performance.now();
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
