/** The one memory of a boosting run as a thread sees it: arrays of its regions, and views of its records. */
import { type Arrays, arraysOf } from '../../../kernels/arena.js';
import {
  COLUMN_FEATURES,
  FEATURE,
  HELD,
  HELD_APART,
  LIST,
  NODE,
  SIDE,
  SPLIT,
} from '../../../kernels/layouts/boosting.js';
import type { Layout, LayoutRegions } from './layout.js';
import { BINNING, CHILDREN, DIVISION, ONE_SIDE, TREE } from './task-records.js';

export type RunMemory = ReturnType<typeof runMemory>;

export function runMemory(
  layout: Layout,
  memory = new WebAssembly.Memory({ initial: layout.pages, maximum: 65536, shared: true }),
) {
  const { buffer } = memory;
  const { at, regions } = layout;
  const arrays: Arrays<LayoutRegions> = arraysOf(regions, at, buffer);
  return {
    memory,
    layout,
    at,
    arrays,
    tree: TREE.view(buffer, at.tree),
    oneSide: ONE_SIDE.view(buffer, at.oneSide),
    binning: BINNING.view(buffer, at.binning),
    division: DIVISION.view(buffer, at.division),
    children: CHILDREN.view(buffer, at.children),
    columnFeatures: COLUMN_FEATURES.view(buffer, at.columnFeatures),
    features: FEATURE.view(buffer, at.features),
    lists: LIST.view(buffer, at.lists),
    sides: SIDE.view(buffer, at.sides),
    splits: SPLIT.view(buffer, at.splits),
    nodes: NODE.view(buffer, at.nodes),
    /** By thread. */
    held: Array.from({ length: layout.threads }, (_, thread) => HELD.view(buffer, at.held + HELD_APART * thread)),
  };
}
