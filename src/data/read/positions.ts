/** Positions count from 1. Some files count from 0: that is seen from a 0, and all of them are moved on by one. */
import { type Dataset, sharedFloat64 } from '../dataset.js';

/** `fromZero` says so of data of which this is a part. */
export function positionsFromOne(
  data: Dataset,
  note: (text: string) => void,
  fromZero = data.positions?.includes(0) ?? false,
): Dataset {
  const { positions } = data;
  if (positions === undefined || !fromZero) return data;
  const moved = sharedFloat64(positions.length);
  for (let row = 0; row < moved.length; row++) moved[row] = positions[row]! + 1;
  note('positions count from 0 here: 1 was added to each');
  return data.with({ positions: moved });
}
