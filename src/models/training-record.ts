import type { Sketch } from './sketch.js';

/** What a model remembers of its training. Scores do not depend on it. */
export interface TrainingRecord {
  /** The kind of model that was asked for, such as `forest`, which makes trees. */
  readonly trainer: string;
  readonly objective?: string | undefined;
  /** What the best iteration was selected by. */
  readonly select: string;
  /** All options of the trainer, defaults included. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly best: { readonly iteration: number; readonly values: readonly number[] };
  /** Iterations done. */
  readonly iterations: number;
  /** Queries trained on, and what the best iteration was selected on. */
  readonly queries: number;
  readonly selectedOn: { readonly data: string; readonly queries: number };
  /** Where it was then trained again on all queries. */
  readonly refitted?: { readonly iteration: number; readonly queries: number } | undefined;
  /** How features and scores were distributed; models of before 0.2 lack it. */
  readonly sketch?: Sketch | undefined;
}
