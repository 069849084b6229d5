/** Sorted runs of breakpoints, one after the other with their changes, merged into one: of equals the earlier first. */

export interface Run {
  at: Float64Array;
  change: Float64Array;
}

/** `ends` are those of the runs. Either run may hold the result, which is the one returned; the other is scratch. */
export function mergeRuns(runs: Run, scratch: Run, ends: readonly number[]): Run {
  let from = runs;
  let to = scratch;
  let open = ends;
  while (open.length > 1) {
    const next: number[] = [];
    for (let r = 0; r < open.length; r += 2) {
      const start = r === 0 ? 0 : open[r - 1]!;
      const end = open[r + 1] ?? open[r]!;
      merge(from, to, start, open[r]!, end);
      next.push(end);
    }
    open = next;
    [from, to] = [to, from];
  }
  return from;
}

function merge(from: Run, to: Run, start: number, middle: number, end: number): void {
  const { at, change } = from;
  const { at: toAt, change: toChange } = to;
  let i = start;
  let j = middle;
  for (let k = start; k < end; k++) {
    const first = j === end || (i < middle && at[i]! <= at[j]!);
    const taken = first ? i++ : j++;
    toAt[k] = at[taken]!;
    toChange[k] = change[taken]!;
  }
}
