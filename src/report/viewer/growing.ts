/** Rows of a long list: a screen full at first, and more as one comes to their end. */
import { element } from './element.js';

/** Rows that are made before anybody waits for them. */
const AHEAD = '800px';

export interface Growing {
  /** Comes after the rows: where it comes into sight, there are more. */
  readonly end: HTMLElement;
  /** Other rows, `most` of them at the most. */
  fill(rows: number, make: (row: number) => HTMLElement, most: number, how?: Filling): void;
}

export interface Filling {
  /** Of the same list, of which as many are shown as were. */
  readonly same?: boolean;
  /** All of them now. */
  readonly atOnce?: boolean;
}

export interface GrowingOptions {
  /** Of more than `more` rows as many as whoever waits can see; the others come once these stand there. */
  readonly first: number;
  /** So many at a time. */
  readonly more: number;
  /** So many stood there before. */
  readonly count?: number | undefined;
  /** Told how many stand there. */
  grew?(count: number): void;
}

/** `body` holds the rows. */
export function growing(body: HTMLElement, { first, more, count: before = 0, grew }: GrowingOptions): Growing {
  let count = before;
  const end = element('div');
  let next = (): void => {};
  let near = false;
  const observer = new IntersectionObserver(
    entries => {
      near = entries.at(-1)!.isIntersecting;
      if (near) next();
    },
    { rootMargin: AHEAD },
  );
  observer.observe(end);
  return {
    end,
    fill(rows, make, most, { same = false, atOnce = false } = {}) {
      const last = Math.min(rows, most);
      const made = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => make(from + i));
      const few = atOnce || last <= more ? last : first;
      count = Math.min(last, same ? Math.max(few, count) : few);
      show(body, made(0, count));
      grew?.(count);
      next = () => {
        if (count === last) return;
        const to = Math.min(last, count + more);
        body.append(...made(count, to));
        count = to;
        grew?.(count);
        // Where the end is still in sight nothing would tell: it is looked at again.
        observer.unobserve(end);
        observer.observe(end);
      };
      if (near) {
        observer.unobserve(end);
        observer.observe(end);
      }
    },
  };
}

/** Rows that stay are not taken out: one that is written in would lose what is being written. */
function show(body: HTMLElement, rows: readonly HTMLElement[]): void {
  if (rows.every(row => row.parentNode !== body)) {
    body.replaceChildren(...rows);
    return;
  }
  const wanted = new Set<Element>(rows);
  for (const row of [...body.children]) if (!wanted.has(row)) row.remove();
  for (const [i, row] of rows.entries()) {
    const there = body.children.item(i);
    if (there !== row) body.insertBefore(row, there);
  }
}
