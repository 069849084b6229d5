/**
 * The one memory that all threads of a run share: parameters, gradients of slices, rows of features, scores, and
 * scratch of each thread. Addresses are in bytes. The rows of a query start a group of four of their own, so the kernel
 * never mixes queries; the rows that fill the last group are zero, and so are their lambdas.
 */

import type { Dataset } from '../../data/dataset.js';
import { longestQuery } from '../../data/longest-query.js';
import { refuseBeyondContainer, SEVERAL_RANKS } from '../../data/memory-limit.js';
import { ListwiseError } from '../../errors.js';
import { type Addresses, Arena, f32, MOST_BYTES, u8, u32 } from '../../kernels/arena.js';
import { DenseKernel } from '../../kernels/dense.js';
import { type NetShape, padded, paddedLayout } from '../../kernels/net-shape.js';

/** Rows of one data set in the memory. */
export interface RowsPlan {
  /** First padded row of each query, and their number. */
  readonly starts: Uint32Array;
  /** Features, [padded row][padded feature]. */
  readonly features: number;
  /** The address of each padded row. */
  readonly list: number;
  /** Scores by row of the data set, not padded. */
  readonly scores: number;
}

/** Scores and lambdas of the query at hand, a list of rows, and the kernel's scratch. */
function threadRegions(shape: NetShape, capacity: number) {
  const scratch = u8(DenseKernel.scratchBytes(shape, capacity));
  return { out: f32(capacity), lambda: f32(capacity), list: u32(capacity), scratch };
}

export type ThreadPlan = Addresses<ReturnType<typeof threadRegions>>;

export interface MemoryPlan {
  readonly pages: number;
  /** Rows that a thread can take at once. */
  readonly capacity: number;
  readonly parameters: number;
  readonly gradients: readonly number[];
  readonly training: RowsPlan;
  readonly validation: RowsPlan | undefined;
  readonly threads: readonly ThreadPlan[];
}

/** Rows of pairs that are propagated together. */
export const PAIR_ROWS = 512;

export function planMemory(
  shape: NetShape,
  data: Dataset,
  validate: Dataset | undefined,
  threads: number,
  slices: number,
): MemoryPlan {
  const arena = new Arena();
  const takeRows = (set: Dataset): RowsPlan => {
    const starts = new Uint32Array(new SharedArrayBuffer(4 * (set.queries + 1)));
    for (let q = 0; q < set.queries; q++) {
      starts[q + 1] = starts[q]! + padded(set.offsets[q + 1]! - set.offsets[q]!);
    }
    const rows = starts[set.queries]!;
    const regions = { features: f32(padded(shape.inputs) * rows), list: u32(rows), scores: f32(set.rows) };
    return { starts, ...arena.takeAll(regions) };
  };
  const size = paddedLayout(shape).size;
  const capacity = Math.max(
    PAIR_ROWS,
    padded(longestQuery(data)),
    padded(validate === undefined ? 0 : longestQuery(validate)),
  );
  const plan = {
    capacity,
    parameters: arena.take(f32(size)),
    gradients: Array.from({ length: slices }, () => arena.take(f32(size))),
    threads: Array.from({ length: threads }, () => arena.takeAll(threadRegions(shape, capacity))),
    training: takeRows(data),
    validation: validate === undefined ? undefined : takeRows(validate),
  };
  const { bytes, pages } = arena;
  if (bytes > MOST_BYTES) {
    const documents = data.rows + (validate?.rows ?? 0);
    throw new ListwiseError(
      'data-too-large',
      `${documents} documents of ${shape.inputs} features need ${(bytes / 2 ** 30).toFixed(1)} GiB as rows; ` +
        `4 GiB is the most, about ${Math.floor(MOST_BYTES / (4 * padded(shape.inputs) + 8))} documents of so many features; ${SEVERAL_RANKS}`,
    );
  }
  refuseBeyondContainer(bytes);
  return { ...plan, pages };
}
