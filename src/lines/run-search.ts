/**
 * The best plateau between two steps, from changes in any order. They are dealt to parts, most of which are passed
 * over: those in which all that rises together would not be enough.
 */

import { NumberSorter } from '../numeric/sort-numbers.js';
import { joinedUpTo, type Plateau } from './piecewise.js';

/** Changes of a part, about. */
const A_PART = 16;

export interface Changes {
  readonly at: Float64Array;
  readonly changes: Float64Array;
  readonly count: number;
}

export interface Run {
  readonly from: number;
  readonly to: number;
  /** The value where it begins. */
  readonly first: number;
  /** Breakpoints join by it: see piecewise.ts. */
  readonly span: number;
  /** From a step of the run to a number from 0 to 1, in order. */
  share(step: number): number;
}

export class RunSearch {
  readonly #sorter = new NumberSorter();
  /** By part: the value where it begins; then what rises in it; then whether to look at it. */
  #values = new Float64Array(0);
  #rises = new Float64Array(0);
  #partOf = new Uint32Array(0);
  #at = new Float64Array(0);
  #changes = new Float64Array(0);
  #part = new Uint32Array(0);

  /** The best plateau above `least`; undefined where there is none. */
  above(least: number, run: Run, lists: readonly Changes[]): Plateau | undefined {
    const count = lists.reduce((sum, list) => sum + list.count, 0);
    const parts = Math.max(1, Math.floor(count / A_PART));
    this.#reserve(count, parts);
    this.#deal(run, lists, parts);
    return this.#walk(least, run, this.#take(least, lists), parts);
  }

  #reserve(count: number, parts: number): void {
    if (this.#partOf.length < count) {
      this.#partOf = new Uint32Array(count);
      this.#part = new Uint32Array(count);
      this.#at = new Float64Array(count);
      this.#changes = new Float64Array(count);
    }
    if (this.#values.length <= parts) {
      this.#values = new Float64Array(2 * parts + 1);
      this.#rises = new Float64Array(2 * parts + 1);
    }
  }

  #deal({ first, share }: Run, lists: readonly Changes[], parts: number): void {
    const values = this.#values.fill(0, 0, parts + 1);
    const rises = this.#rises.fill(0, 0, parts + 1);
    let k = 0;
    for (const { at, changes, count } of lists) {
      for (let i = 0; i < count; i++) {
        const part = Math.min(parts - 1, Math.max(0, Math.floor(parts * share(at[i]!))));
        const change = changes[i]!;
        this.#partOf[k++] = part;
        values[part + 1]! += change;
        if (change > 0) rises[part]! += change;
      }
    }
    values[0] = first;
    for (let p = 0; p < parts; p++) values[p + 1]! += values[p]!;
  }

  /** Takes the changes of parts that can hold something above `least`; returns how many these are. */
  #take(least: number, lists: readonly Changes[]): number {
    let k = 0;
    let taken = 0;
    for (const { at, changes, count } of lists) {
      for (let i = 0; i < count; i++) {
        const part = this.#partOf[k++]!;
        if (this.#values[part]! + this.#rises[part]! <= least) continue;
        this.#at[taken] = at[i]!;
        this.#changes[taken] = changes[i]!;
        this.#part[taken++] = part;
      }
    }
    return taken;
  }

  /**
   * A plateau above `least` that reaches into a part makes that part one to look at: what is next to such a plateau
   * was taken.
   */
  #walk(least: number, { from, to, span }: Run, taken: number, parts: number): Plateau | undefined {
    const order = this.#sorter.sort(this.#at, taken);
    const values = this.#values;
    let best: Plateau | undefined;
    let value = values[0]!;
    let begin = from;
    let joined = from;
    let last = -1;
    const see = (end: number) => {
      if (value > (best?.value ?? least) && end > joined) best = { from: begin, to: end, value };
    };
    for (let k = 0; k < taken; k++) {
      const at = this.#at[order[k]!]!;
      const part = this.#part[order[k]!]!;
      see(at);
      if (part > last + 1) value = values[part]!;
      last = Math.max(last, part);
      if (at > joined) {
        begin = at;
        joined = joinedUpTo(at, span);
      }
      value += this.#changes[order[k]!]!;
    }
    if (last < parts - 1) value = values[parts]!;
    see(to);
    return best;
  }
}
