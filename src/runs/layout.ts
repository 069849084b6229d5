/** The names of what a run folder holds; docs/run-folder.md says what is in each. */
import { join } from 'node:path';
import { CHECKPOINT_FILE } from '../training/checkpoint.js';

/**
 * The names of the files in a run folder.
 *
 * @example
 * import { RUN_FILES } from 'listwise/runs';
 *
 * console.log(RUN_FILES.model); // model.json
 */
export const RUN_FILES = {
  record: 'run.json',
  log: 'log.jsonl',
  trials: 'trials.jsonl',
  model: 'model.json',
  scores: 'scores.txt',
  results: 'results.json',
  report: 'report.html',
  description: 'data.json',
  checkpoint: 'checkpoint',
  heartbeat: 'heartbeat',
} as const;

export type RunFile = keyof typeof RUN_FILES;

/** What took time to make: a folder with any of these is not written over unless asked for. */
export const KEPT_FILES = ['log', 'trials', 'model', 'scores', 'results', 'report', 'checkpoint'] as const;

export type KeptFile = (typeof KEPT_FILES)[number];

/** What is in the folder `checkpoint` of a run: that of a training, of a search, of an experiment. */
export const CHECKPOINTS = { state: CHECKPOINT_FILE, folds: 'folds.jsonl', steps: 'steps.jsonl' } as const;

export function runPath(directory: string, file: RunFile): string {
  return join(directory, RUN_FILES[file]);
}
