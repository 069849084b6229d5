/** What each of several ranks looks at of a node: some tiles, of whose splits it tells the others the best. */
import { TILE_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { levelSet, levelsOf } from '../../../kernels/level-set.js';
import type { Transport } from '../../../ranks/transport.js';
import type { TaskThread } from '../tasks/task-thread.js';
import type { Split } from './grower.js';

/** The tiles of a rank: all of them where there is one. */
export interface TilePiece {
  readonly first: number;
  readonly count: number;
  /** By rank: 32-bit numbers of the histograms of its tiles. */
  readonly numbers: readonly number[];
  /** Features that the rank looks at, ascending: those of its tiles and, as every rank, wide categories. */
  readonly features: readonly number[];
  /** Numbers that a split is sent as. */
  readonly length: number;
}

export function tilePiece({ columns, job }: TaskThread, { rank, size }: Transport): TilePiece {
  const { tiles } = columns;
  const cut = (n: number) => Math.ceil((n * tiles) / size);
  const [first, last] = [cut(rank), cut(rank + 1)];
  const wide = job.categories.filter(category => category.wide !== undefined);
  const own = columns.features.slice(TILE_COLUMNS * first, TILE_COLUMNS * last).flat();
  const words = job.categories.reduce((most, category) => Math.max(most, category.words), 0);
  return {
    first,
    count: last - first,
    numbers: Array.from({ length: size }, (_, r) => ((cut(r + 1) - cut(r)) * TILE_BYTES) / 4),
    features: [...own, ...wide.map(({ feature }) => feature)].sort((a, b) => a - b),
    length: FIELDS + words,
  };
}

/** Gain, feature, bin, missing values, three sums. */
const FIELDS = 7;

/** No split has no gain. */
export function writeSplit(split: Split | undefined, out: Float64Array): void {
  if (split === undefined) return;
  const { gain, feature, bin, missingLeft, left, levels } = split;
  out.set([gain, feature, bin, Number(missingLeft), left.lambda, left.hessian, left.documents]);
  out.set(levelSet(levels ?? []), FIELDS);
}

export function readSplit(numbers: Float64Array, thread: TaskThread): Split | undefined {
  const [gain, feature, bin, missingLeft, lambda, hessian, documents] = numbers;
  if (gain === 0) return undefined;
  const levels = thread.category(feature!) && levelsOf(Uint32Array.from(numbers.subarray(FIELDS)));
  const left = { lambda: lambda!, hessian: hessian!, documents: documents! };
  return { gain: gain!, feature: feature!, bin: bin!, missingLeft: missingLeft === 1, levels, left };
}
