/** Tasks that turn features into bins: edges from a sample, bins by tiles and columns, and a copy by rows. */
import type { Dataset, FeatureBlock } from '../../../data/dataset.js';
import { giveUpBlock } from '../../../data/given-up.js';
import { BINS, EDGE_BYTES, LIST, MISSING_BIN, RECORD_BYTES, TILE_COLUMNS } from '../../../kernels/layouts/boosting.js';
import { collectGarbage } from '../../../threads/collect-garbage.js';
import { binEdges } from '../binning/bin-edges.js';
import { binOfLevel, MISSING_WIDE } from '../binning/level-bins.js';
import { kindStarts } from '../binning/places.js';
import { BIN_ROWS, BINNED_BYTES } from '../memory/layout.js';
import { sampledValues } from '../rows/edge-sample.js';
import { type Section, sectionsOf } from '../rows/sections.js';
import { STARTS_APART } from '../rows/short-rows.js';
import type { TaskThread } from './task-thread.js';

/** to[i] = values[from + order[first + i]] */
function gather(values: Float32Array, from: number, order: Uint32Array, first: number, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = values[from + order[first + i]!]!;
}

/** The bins of levels; returns how many values are missing. */
function binLevels(binOf: Uint16Array, values: Float32Array, to: Uint8Array | Uint16Array): number {
  const missing = to.BYTES_PER_ELEMENT === 1 ? MISSING_BIN : MISSING_WIDE;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    to[i] = binOfLevel(binOf, values[i]!, missing);
    if (to[i] === missing) count++;
  }
  return count;
}

export function binningTasks(thread: TaskThread) {
  const { scratch, memory } = thread;
  const { data, validation, sample: edgeSample, tieOrder, parts, bins: most } = thread.job;
  const { binning } = thread.kernels;
  const { at, layout, arrays } = memory;
  const { rows, byColumn } = layout;
  const { sections } = thread.job;
  const wide = thread.job.categories.filter(category => category.wide !== undefined);
  const sample = new Float32Array(memory.memory.buffer, scratch, Math.max(layout.sample, BIN_ROWS));

  /** Bins of n values, at the start of this thread's scratch, into a column, or added to those of others there. */
  const binFeature = (feature: number, n: number, column: number): number => {
    const { features, step, states, column: columnOf } = thread.columns;
    const edges = at.edges + EDGE_BYTES * feature;
    const category = thread.category(feature);
    const isAlone = features[columnOf[feature]!]!.length === 1;
    const own = isAlone ? column : scratch + 4 * BIN_ROWS;
    const missing =
      category === undefined
        ? binning.binColumn(scratch, n, edges, own)
        : binLevels(category.binOf, sample.subarray(0, n), new Uint8Array(memory.memory.buffer, own, n));
    if (!isAlone) binning.addBins(own, n, step[feature]!, states[feature]!, column);
    return missing;
  };

  const addresses = scratch + BINNED_BYTES;
  const columnAddresses = new Uint32Array(memory.memory.buffer, addresses, TILE_COLUMNS);

  /** Where the addresses of a tile's eight columns are, and their commonest bytes. */
  const columnsOf = (tile: number) => at.columnAt + 4 * TILE_COLUMNS * tile;
  const commonestOf = (tile: number) => at.commonestAt + TILE_COLUMNS * tile;

  /**
   * Bins of a tile's columns, every row's eight bytes `stride` from the last one's. Where rows are in order, those of
   * training, columns are kept instead if there is room. Adds the missing values of each feature to `missing`.
   */
  const binTile = (work: {
    blocks: readonly FeatureBlock[];
    order: Uint32Array | undefined;
    tile: number;
    out: number;
    stride: number;
    missing: Int32Array;
  }): void => {
    const { order, tile, out, stride, missing } = work;
    const keep = byColumn && order !== undefined;
    const apart = keep ? rows : BIN_ROWS;
    const tileFeatures = thread.columns.features.slice(TILE_COLUMNS * tile, TILE_COLUMNS * (tile + 1));
    for (const block of work.blocks) {
      for (let i = 0; i < block.rows; i += BIN_ROWS) {
        const n = Math.min(BIN_ROWS, block.rows - i);
        const first = block.start + i;
        const columns = keep ? at.columns + TILE_COLUMNS * tile * rows + first : scratch + 5 * BIN_ROWS;
        const values = sample.subarray(0, n);
        tileFeatures.forEach((features, k) => {
          for (const feature of features) {
            const from = feature * block.stride;
            if (order === undefined) values.set(block.data.subarray(from + i, from + i + n));
            else gather(block.data, from - block.start, order, first, values);
            missing[feature]! += binFeature(feature, n, columns + k * apart);
          }
        });
        if (keep) continue;
        for (let k = 0; k < TILE_COLUMNS; k++) columnAddresses[k] = columns + k * apart;
        binning.rowsOfColumns(addresses, 0, n, out + first * stride, stride);
      }
    }
  };

  const stretches = sectionsOf(parts, layout.threads);
  const listAt = (stretch: number, tile: number) => stretch * thread.columns.tiles + tile;
  const listEnds = new Uint32Array(memory.memory.buffer, addresses, TILE_COLUMNS + 1);

  /** Rows of a tile and section as eight bytes each, some at a time, in the scratch; they count from its first. */
  function* rowsOf(tile: number, { firstRow, lastRow }: Section) {
    for (let row = firstRow; row < lastRow; row += BIN_ROWS) {
      const end = Math.min(row + BIN_ROWS, lastRow);
      binning.rowsOfColumns(columnsOf(tile), row, end, scratch, TILE_COLUMNS);
      yield { words: scratch, n: end - row, first: row - firstRow };
    }
  }

  const blocksNow = () => {
    const { validation: isValidation, first, last } = memory.binning;
    return (isValidation ? validation : data)?.blocks.slice(first, last) ?? [];
  };

  return {
    /** Of the features of this rank. */
    edges(task: number): void {
      const feature = edgeSample.firstFeature + task;
      const category = thread.category(feature);
      if (category !== undefined) {
        arrays.bins[feature] = category.wide === undefined ? category.codes.length : 0;
        return;
      }
      const n = sampledValues(edgeSample, feature, sample);
      binning.sortFloats(scratch, n, scratch + 4 * layout.sample, scratch + 8 * layout.sample);
      const edges = binEdges(sample.subarray(0, n), most);
      arrays.edges.fill(Infinity, BINS * feature, BINS * (feature + 1));
      arrays.edges.set(edges, BINS * feature);
      arrays.bins[feature] = edges.length + 1;
    },

    /** Bins of a tile, of some blocks of training or validation data. */
    bin(tile: number): void {
      const blocks = blocksNow();
      if (!memory.binning.validation) {
        const out = at.tiles + TILE_COLUMNS * tile * rows;
        binTile({ blocks, order: tieOrder, tile, out, stride: TILE_COLUMNS, missing: arrays.missing });
        return;
      }
      binTile({
        blocks,
        order: undefined,
        tile,
        out: at.validation + TILE_COLUMNS * tile,
        stride: thread.columns.stride,
        missing: new Int32Array(layout.features),
      });
    },

    /** Gives up the features of these blocks, on every thread. */
    giveUp(): void {
      for (const block of blocksNow()) giveUpBlock(block);
      collectGarbage();
      thread.meet();
    },

    /** Bins of a wide category, training and validation. */
    binWide(number: number): void {
      const category = wide[number]!;
      const binAll = (of: Dataset, order: Uint32Array | undefined, out: Uint16Array) => {
        for (const block of of.blocks) {
          const values = new Float32Array(block.rows);
          const from = category.feature * block.stride;
          if (order === undefined) values.set(block.data.subarray(from, from + block.rows));
          else gather(block.data, from - block.start, order, block.start, values);
          binLevels(category.binOf, values, out.subarray(block.start, block.start + block.rows));
        }
      };
      binAll(data, tieOrder, arrays.wide.subarray(rows * number, rows * (number + 1)));
      if (validation === undefined) return;
      const { validationRows } = layout;
      const to = arrays.wideValidation.subarray(validationRows * number, validationRows * (number + 1));
      binAll(validation, undefined, to);
    },

    /** Puts a column in the order of the index, by way of the memory of tiles, which are made anew then. */
    reorder(column: number): void {
      const first = column * rows;
      binning.permuteBytes(at.columns + first, at.index, rows, at.tiles + first);
      arrays.columns.set(arrays.tiles.subarray(first, first + rows), first);
    },

    /** A tile of all rows, from its columns. */
    tile(tile: number): void {
      binning.rowsOfColumns(columnsOf(tile), 0, rows, at.tiles + TILE_COLUMNS * tile * rows, TILE_COLUMNS);
    },

    /** The rows of each kind of a tile that is to be a list. */
    listSizes(tile: number): void {
      stretches.forEach((own, stretch) => {
        for (const { words, n } of rowsOf(tile, own)) {
          binning.countKinds(words, n, commonestOf(tile), at.lists + LIST.bytes * listAt(stretch, tile));
        }
      });
    },

    /** A tile as lists, in the memory of such tiles: once there is a row-major copy of these. */
    list(tile: number): void {
      const { recordBytes } = thread.columns;
      stretches.forEach((own, stretch) => {
        const starts = kindStarts(memory.lists.at(listAt(stretch, tile)));
        listEnds.set(starts.slice(0, TILE_COLUMNS), 1);
        for (const { words, n, first } of rowsOf(tile, own)) {
          binning.listRows(words, n, commonestOf(tile), first, recordBytes, addresses, at.packing);
        }
      });
    },

    /**
     * Of each row of a section, the bytes of the first pair of tiles, of the first two, and so on that are not the
     * commonest: in the memory of tiles.
     */
    others(section: number): void {
      const own = sections[section]!;
      const { firstRow, lastRow } = own;
      for (let pair = 0; pair < arrays.shortPairs[0]!; pair++) {
        const first = pair * rows + firstRow;
        if (pair === 0) arrays.tiles.fill(0, firstRow, lastRow);
        else arrays.tiles.copyWithin(first, first - rows, first - rows + lastRow - firstRow);
        for (const tile of [2 * pair, 2 * pair + 1]) {
          for (const { words, n, first: row } of rowsOf(tile, own)) {
            binning.countOthers(words, n, commonestOf(tile), at.tiles + first + row);
          }
        }
      }
    },

    /** Rows of a section in the index by their names. */
    sortByNames(section: number): void {
      const { firstRow, lastRow } = sections[section]!;
      const pairs = arrays.shortPairs[0]!;
      const others = at.tiles + (pairs - 1) * rows;
      binning.sortByNames(at.index, firstRow, lastRow - firstRow, others, pairs, scratch, at.scratch + 4 * firstRow);
      const ends = new Uint32Array(memory.memory.buffer, scratch, pairs + 1);
      arrays.shortStarts.set(ends, STARTS_APART * section);
    },

    /** Short rows of a section, once it has the row-major copy. */
    shorten(section: number): void {
      const { firstRow } = sections[section]!;
      const { rowStride } = thread.columns;
      const pairs = arrays.shortPairs[0]!;
      const end = arrays.shortStarts[STARTS_APART * section + pairs]!;
      // Some at a time: a kernel's first call is of code that is not optimised yet.
      for (let row = firstRow; row < end; row += BIN_ROWS) {
        const n = Math.min(BIN_ROWS, end - row);
        binning.shortenRows(at.rows + rowStride * row, rowStride, n, 2 * pairs, at.commonestAt, scratch, at.packing);
      }
    },

    /** Row-major copy of the rows of a part, and what lies behind their records. */
    rows(part: number): void {
      const { firstRow, lastRow } = parts[part]!;
      const { rowTiles, rowStride, recordBytes } = thread.columns;
      const tileBytes = TILE_COLUMNS * rows;
      binning.rowsOfTiles(at.tiles, tileBytes, rowTiles, firstRow, lastRow, at.rows, rowStride);
      if (recordBytes === RECORD_BYTES) return;
      const [next, behind] = [at.tiles + rowTiles * tileBytes, at.records + RECORD_BYTES];
      binning.rowsOfTiles(next, tileBytes, 1, firstRow, lastRow, behind, recordBytes);
    },
  };
}
