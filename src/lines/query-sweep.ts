/**
 * One query along a line: document d scores a_d + t b_d, so the ranking changes only where two of these straight lines
 * cross, and the measure only where documents of different classes do. Crossings are visited from -infinity up, and
 * each lets two neighbours trade places.
 *
 * Crossings within a class are not visited: who of a class stands where does not matter. The rank of a crossing follows
 * from counts: `above` has, by document and class, how many of the class are above the document, and `fewer` has, by
 * two classes A and B and a number k, how many of A have fewer than k of B above. Where i of class A passes j of class
 * B, all of A that are above i are above j too: those with fewer of B above than i has.
 */
import { orderByScore } from '../measures/order.js';

/** Crossings of documents of different classes: where each is, who rises and who falls, by place in the query. */
export class Crossings {
  at = new Float64Array(0);
  rising = new Uint32Array(0);
  falling = new Uint32Array(0);
  count = 0;

  reserve(most: number): void {
    if (this.at.length >= most) return;
    this.at = new Float64Array(most);
    this.rising = new Uint32Array(most);
    this.falling = new Uint32Array(most);
  }

  /** Those of a query, added to the others. */
  add({ members }: ClassedDocuments, start: Float64Array, slope: Float64Array): void {
    for (const [a, own] of members.entries()) {
      for (const i of own) for (let b = 0; b < a; b++) this.#cross(i, members[b]!, start, slope);
    }
  }

  #cross(i: number, others: Uint32Array, start: Float64Array, slope: Float64Array): void {
    const { at, rising, falling } = this;
    const a = start[i]!;
    const b = slope[i]!;
    let next = this.count;
    for (let k = 0; k < others.length; k++) {
      const j = others[k]!;
      const relative = b - slope[j]!;
      if (relative === 0) continue;
      at[next] = (start[j]! - a) / relative;
      rising[next] = relative > 0 ? i : j;
      falling[next++] = relative > 0 ? j : i;
    }
    this.count = next;
  }
}

/** The documents of a query by class: what does not change from line to line. */
export class ClassedDocuments {
  readonly classOf: Uint32Array;
  /** Documents of each class. */
  readonly members: readonly Uint32Array[];
  /** Where the counts of two classes begin, and how many there are in all. */
  readonly fewerAt: Uint32Array;
  readonly places: number;
  /** Pairs of different classes. */
  readonly pairs: number;

  constructor(classes: Float64Array) {
    const numbers = new Map<number, number>();
    const members: number[][] = [];
    this.classOf = Uint32Array.from(classes, (value, d) => {
      let own = numbers.get(value);
      if (own === undefined) {
        numbers.set(value, (own = members.length));
        members.push([]);
      }
      members[own]!.push(d);
      return own;
    });
    this.members = members.map(own => Uint32Array.from(own));
    const count = members.length;
    this.fewerAt = new Uint32Array(count * count);
    let places = 0;
    let pairs = 0;
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) {
        this.fewerAt[a * count + b] = places;
        if (a === b) continue;
        places += members[b]!.length + 2;
        pairs += members[a]!.length * members[b]!.length;
      }
    }
    this.places = places;
    this.pairs = pairs / 2;
  }
}

const none = new ClassedDocuments(new Float64Array(0));

export class QuerySweep {
  #documents = none;
  #order = new Uint32Array(0);
  #scratch = new Uint32Array(0);
  #keys = new Float64Array(0);
  #above = new Uint32Array(0);
  #fewer = new Uint32Array(0);
  /** Documents of other classes above each. */
  #others = new Uint32Array(0);

  /**
   * Documents by rank below every crossing: the slowest line is on top; of parallel ones the higher, then the first.
   */
  firstOrder(start: Float64Array, slope: Float64Array, n: number): Uint32Array {
    if (this.#keys.length < n) {
      this.#keys = new Float64Array(n);
      this.#order = new Uint32Array(n);
      this.#scratch = new Uint32Array(n);
    }
    orderByScore(start, n, this.#order, this.#scratch);
    const byStart = this.#order.slice(0, n);
    for (let k = 0; k < n; k++) this.#keys[k] = -slope[byStart[k]!]!;
    orderByScore(this.#keys, n, this.#order, this.#scratch);
    return byStart.map((_, r) => byStart[this.#order[r]!]!);
  }

  /**
   * Passes through the crossings `events`, lowest first. `order` is the first order; `swap` lets ranks r and r + 1
   * trade places and returns the change. Adds each change to `out`, at the place of the event it came with.
   */
  sweep(
    crossings: Crossings,
    events: Uint32Array,
    order: Uint32Array,
    documents: ClassedDocuments,
    swap: (rank: number) => number,
    out: Float64Array,
  ): void {
    this.#documents = documents;
    this.#count(order);
    const waiting: number[] = [];
    for (let k = 0; k < events.length; k++) {
      const event = events[k]!;
      const rank = this.#pass(crossings.rising[event]!, crossings.falling[event]!);
      if (rank < 0) {
        waiting.push(event);
        continue;
      }
      out[event]! += swap(rank);
      if (waiting.length > 0) this.#passWaiting(waiting, crossings, swap, out, event);
    }
    if (waiting.length > 0) throw new RangeError(`${waiting.length} crossings of a sweep were never reached`);
  }

  /** Where several lines meet in a point, rounding may name their crossings in an order that cannot be. */
  #passWaiting(
    waiting: number[],
    { rising, falling }: Crossings,
    swap: (rank: number) => number,
    out: Float64Array,
    now: number,
  ): void {
    for (let w = 0; w < waiting.length; ) {
      const rank = this.#pass(rising[waiting[w]!]!, falling[waiting[w]!]!);
      if (rank < 0) w++;
      else {
        out[now]! += swap(rank);
        waiting.splice(w, 1);
        w = 0;
      }
    }
  }

  #count(order: Uint32Array): void {
    const { classOf, members, fewerAt, places } = this.#documents;
    const n = order.length;
    const count = members.length;
    const running = new Uint32Array(count);
    if (this.#above.length < n * count) this.#above = new Uint32Array(n * count);
    if (this.#others.length < n) this.#others = new Uint32Array(n);
    if (this.#fewer.length < places) this.#fewer = new Uint32Array(places);
    const fewer = this.#fewer.fill(0, 0, places);
    for (let r = 0; r < n; r++) {
      const d = order[r]!;
      const own = classOf[d]!;
      this.#others[d] = r - running[own]!;
      for (let b = 0; b < count; b++) {
        this.#above[d * count + b] = running[b]!;
        if (b !== own) fewer[fewerAt[own * count + b]! + running[b]! + 1]!++;
      }
      running[own]!++;
    }
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) {
        if (a === b) continue;
        const at = fewerAt[a * count + b]!;
        for (let k = 1; k < running[b]! + 2; k++) fewer[at + k]! += fewer[at + k - 1]!;
      }
    }
  }

  /** Lets i pass j where they are neighbours; returns the rank of j before, from 0, or -1 where they were not. */
  #pass(i: number, j: number): number {
    const { classOf, fewerAt, members } = this.#documents;
    const count = members.length;
    const above = this.#above;
    const fewer = this.#fewer;
    const others = this.#others;
    const a = classOf[i]!;
    const b = classOf[j]!;
    const ofB = i * count + b;
    const ofA = j * count + a;
    const inA = fewerAt[a * count + b]! + above[ofB]!;
    const inB = fewerAt[b * count + a]! + above[ofA]! + 1;
    const between = others[i]! - above[ofB]! - (others[j]! - above[ofA]!);
    if (fewer[inA] !== above[ofA] || fewer[inB] !== above[ofB] || between !== 0) return -1;
    const rank = above[ofA]! + others[i]! - 1;
    fewer[inA]!++;
    fewer[inB]!--;
    above[ofB]!--;
    above[ofA]!++;
    others[i]!--;
    others[j]!++;
    return rank;
  }
}
