/** What an objective learns for itself in a run: moved after each iteration, kept in checkpoints, shown at the end. */
import type { Dataset } from '../data/dataset.js';
import { type Part, partsOf } from '../data/parts.js';
import {
  addGroups,
  beginLearning,
  groupSums,
  type LearnedMemories,
  type LearnedMemory,
  type LearnedTable,
  type Learning,
  learningsOf,
} from '../objectives/learning.js';
import type { Objective } from '../objectives/objective.js';
import { withoutFeatures } from '../ranks/deal.js';
import { gatherNumbers } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import { areFloats } from './state-schema.js';

/** By key; plain values for checkpoints. */
export type LearnedValues = Readonly<Record<string, Float64Array>>;

/** Groups that the log follows, where there are such. */
const FOLLOWED = [2, 3, 5, 10, 20, 50, 100];

interface Learned {
  readonly learning: Learning;
  readonly memory: Required<LearnedMemory>;
}

export class LearnedState {
  /** Labels and positions of all ranks. */
  readonly #data: Dataset;
  readonly #parts: readonly Part[];
  readonly #ranks: Transport;
  readonly #all: readonly Learned[];
  /** For threads, and whoever else starts the objective. */
  readonly memories: LearnedMemories;

  /** Undefined where nothing is learned besides the model. */
  static of(objective: Objective | undefined, data: Dataset, ranks: Transport): LearnedState | undefined {
    const learnings = objective === undefined ? [] : learningsOf(objective);
    return learnings.length === 0 ? undefined : new LearnedState(learnings, data, ranks);
  }

  private constructor(learnings: readonly Learning[], data: Dataset, ranks: Transport) {
    const byKey = new Map(learnings.map(learning => [learning.key, learning]));
    this.#data = withoutFeatures(data, ranks);
    this.#parts = partsOf(data);
    this.#ranks = ranks;
    this.#all = Array.from(byKey.values(), learning => ({ learning, memory: beginLearning(learning, data) }));
    this.memories = Object.fromEntries(this.#all.map(({ learning, memory }) => [learning.key, memory]));
  }

  /** After an iteration; what was found in it is used up. */
  advance(): void {
    for (const { learning, memory } of this.#all) {
      const groups = memory.values.length;
      const sums = this.#parts.flatMap(part => [...groupSums(memory.found, groups, part)]);
      learning.advance(memory.values, addGroups(gatherNumbers(this.#ranks, Float64Array.from(sums)), groups));
      memory.found.fill(0);
    }
  }

  /** Objectives to train trees for before the model. */
  get rehearsals(): readonly string[] {
    return [...new Set(this.#all.flatMap(({ learning }) => learning.rehearsal?.objective ?? []))];
  }

  /** Takes over what the objective of a rehearsal learned. */
  startFrom(objective: string, rehearsed: LearnedState): void {
    const [found] = rehearsed.#all;
    for (const { learning, memory } of this.#all) {
      if (learning.rehearsal?.objective !== objective) continue;
      memory.values.set(found!.memory.values);
      learning.rehearsal.take(memory.values, this.#data);
    }
  }

  snapshot(): LearnedValues {
    return Object.fromEntries(
      this.#all.map(({ learning, memory }) => [learning.key, Float64Array.from(memory.values)]),
    );
  }

  /** Whether values that were read are some of this run. */
  isOwn(values: LearnedValues = {}): boolean {
    return this.#all.every(({ learning: { key }, memory }) =>
      areFloats(values[key], memory.values.length, value => !Number.isNaN(value)),
    );
  }

  restore(values: LearnedValues): void {
    for (const { learning, memory } of this.#all) memory.values.set(values[learning.key]!);
  }

  /** As a table each, of these values or the present ones. */
  tables(values: LearnedValues = this.snapshot()): LearnedTable[] {
    return this.#all.map(({ learning }) => learning.table(values[learning.key]!, this.#data));
  }

  /** What the log follows, by name. */
  facts(): Readonly<Record<string, number>> {
    const followed = this.tables().flatMap(({ by, at, columns, drawn }) => {
      const { values } = columns.find(({ name }) => name === drawn)!;
      return at.flatMap((place, i) => (FOLLOWED.includes(place) ? [[`${drawn} at ${by} ${place}`, values[i]!]] : []));
    });
    return Object.fromEntries(followed);
  }
}
