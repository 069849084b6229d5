// What is done with the cells of a column once they are of full size.

import { BINS, CELL_BYTES, MISSING_BIN } from '../layouts/boosting';

/** parent -= child for the first bins of a column and the last: the other child without another pass over rows. */
export function subtractColumn(parent: usize, child: usize, bins: i32): void {
  for (let o: usize = 0, end = <usize>bins * CELL_BYTES; o < end; o += CELL_BYTES) subtractCell(parent + o, child + o);
  subtractCell(parent + (MISSING_BIN * CELL_BYTES), child + (MISSING_BIN * CELL_BYTES));
}

@inline function subtractCell(parent: usize, child: usize): void {
  v128.store(parent, i32x4.sub(v128.load(parent), v128.load(child)));
}

/** The cells of one of the features that share a column, from the column's 256: sums over the bins of the others. */
export function cellsOfFeature(histogram: usize, step: i32, states: i32, out: usize): void {
  memory.fill(out, 0, <usize>states << 4);
  const group = step * states;
  for (let first = 0; first + group <= <i32>BINS; first += group) {
    let cell = histogram + (<usize>first << 4);
    for (let to = out, end = out + (<usize>states << 4); to < end; to += 16) {
      let total = v128.load(to);
      for (let other = 0; other < step; other++) {
        total = i32x4.add(total, v128.load(cell));
        cell += 16;
      }
      v128.store(to, total);
    }
  }
}
