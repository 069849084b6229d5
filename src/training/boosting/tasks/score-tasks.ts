/** Tasks that take a grown tree to the scores: sums of its leaves, and their values to rows. */
import { TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { CHUNK_ROWS } from '../memory/layout.js';
import { spanAt } from '../rows/sections.js';
import type { TaskThread } from './task-thread.js';

export function scoreTasks(thread: TaskThread) {
  const { at, layout, arrays, tree } = thread.memory;
  const { spans } = arrays;
  const kernel = thread.kernels.leaves;

  /** The tree to a part of some rows. */
  const addTreeTo = (work: {
    /** Bins, and bytes from one row to the next, from tile to tile, and from column to column of a tile. */
    bins: readonly [at: number, rowBytes: number, tileBytes: number, columnBytes: number];
    wide: number;
    rows: number;
    order: number;
    scores: number;
    part: number;
  }) => {
    const { bins, wide, rows, order, scores, part } = work;
    const first = CHUNK_ROWS * part;
    const last = Math.min(first + CHUNK_ROWS, rows);
    const { nodes, nodeSides: sides, wideSides, leafValues } = at;
    if (layout.wide === 0) kernel.addTree(...bins, first, last, order, nodes, sides, leafValues, scores);
    else kernel.addWideTree(...bins, first, last, nodes, sides, leafValues, scores, wide, rows, wideSides);
  };

  return {
    /** Exact sums of the leaves over the rows of a section. */
    leafSums(section: number): void {
      const { exactLambdaScale, exactHessianScale, leaves } = tree;
      const { index, order, lambdas } = at;
      for (let leaf = 0; leaf < leaves; leaf++) {
        const span = spanAt(leaf, section, layout.sections);
        const [rows, n] = [index + 4 * spans[span]!, spans[span + 1]!];
        const out = at.sectionSums + 16 * (section * leaves + leaf);
        kernel.sumRows(rows, n, order, lambdas, exactLambdaScale, exactHessianScale, out);
      }
    },

    /** Values of the leaves to the rows of a section. */
    addLeaves(section: number): void {
      for (let leaf = 0; leaf < tree.leaves; leaf++) {
        const span = spanAt(leaf, section, layout.sections);
        const [rows, n] = [at.index + 4 * spans[span]!, spans[span + 1]!];
        kernel.addToRows(rows, n, at.order, arrays.leafValues[leaf]!, at.scores);
      }
    },

    /** The tree to a part of the validation rows. */
    addTree(part: number): void {
      addTreeTo({
        bins: [at.validation, thread.columns.stride, TILE_COLUMNS, 1],
        wide: at.wideValidation,
        rows: layout.validationRows,
        order: 0,
        scores: at.validationScores,
        part,
      });
    },

    /** The tree to a part of the training rows. */
    addTreeToAll(part: number): void {
      addTreeTo({
        bins: layout.byColumn
          ? [at.columns, 1, TILE_COLUMNS * layout.rows, layout.rows]
          : [at.tiles, TILE_COLUMNS, TILE_COLUMNS * layout.rows, 1],
        wide: at.wide,
        rows: layout.rows,
        order: at.order,
        scores: at.scores,
        part,
      });
    },
  };
}
