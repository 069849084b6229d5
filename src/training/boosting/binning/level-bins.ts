/**
 * Bins of categories: a level with enough documents is a bin, in the order of codes. Other levels are like missing
 * ones. A category of more bins than a byte has is wide: its bins are 16-bit numbers, kept apart from the bytes.
 */
import type { Dataset } from '../../../data/dataset.js';
import { ListwiseError, quote } from '../../../errors.js';
import { MISSING_BIN } from '../../../kernels/layouts/boosting.js';
import type { Transport } from '../../../ranks/transport.js';

/** Of a wide category; bins are below it. */
export const MISSING_WIDE = 65535;

export interface LevelBins {
  readonly feature: number;
  /** Whether its bins are 16-bit numbers, and then its place among those. */
  readonly wide: number | undefined;
  /** Code of each bin, ascending. */
  readonly codes: Uint32Array;
  /** Bin of each code; the bin of missing values for levels without one. */
  readonly binOf: Uint16Array;
  /** Where its sets begin, in words, for each of two sides: sides of all categories lie side by side. */
  readonly set: number;
  /** Words of a set. */
  readonly words: number;
}

/** The categories of the data, in the order of features. */
export function levelBins(data: Dataset, leastDocuments: number, ranks: Transport): LevelBins[] {
  const kinds = data.description?.kinds ?? {};
  const found: LevelBins[] = [];
  let [wide, set] = [0, 0];
  data.featureNames.forEach((name, feature) => {
    if (kinds[name] !== 'category') return;
    const counts = ofAllRanks(ranks, countLevels(data, feature, name));
    const codes = Uint32Array.from(counts.keys()).filter(code => counts[code]! >= leastDocuments);
    const isWide = codes.length > MISSING_BIN;
    const binOf = new Uint16Array(counts.length).fill(isWide ? MISSING_WIDE : MISSING_BIN);
    codes.forEach((code, bin) => {
      binOf[code] = bin;
    });
    const words = Math.ceil(codes.length / 32);
    found.push({ feature, wide: isWide ? wide++ : undefined, codes, binOf, set, words });
    set += 2 * words;
  });
  return found;
}

/** The bin of a value, or `missing`. */
export function binOfLevel(binOf: Uint16Array, value: number, missing: number): number {
  return value >= 0 && value < binOf.length ? binOf[Math.floor(value)]! : missing;
}

/** Levels that no rank has are none. */
function ofAllRanks(ranks: Transport, own: Uint32Array): Uint32Array {
  const levels = Float64Array.of(own.length);
  ranks.max(levels);
  const counts = new Uint32Array(levels[0]!);
  counts.set(own);
  ranks.sum(new Int32Array(counts.buffer));
  return counts;
}

function countLevels(data: Dataset, feature: number, name: string): Uint32Array {
  let counts = new Uint32Array(256);
  let most = -1;
  for (const { data: values, stride, rows } of data.blocks) {
    for (let i = 0; i < rows; i++) {
      const value = values[feature * stride + i]!;
      if (Number.isNaN(value)) continue;
      if (!(value >= 0 && value < MISSING_WIDE)) {
        throw new ListwiseError(
          'data-too-large',
          `category ${quote(name)} has a level of code ${value}; trees take ${MISSING_WIDE} levels, of codes from 0 to ${MISSING_WIDE - 1}`,
        );
      }
      const code = Math.floor(value);
      if (code >= counts.length) {
        const longer = new Uint32Array(Math.min(MISSING_WIDE, Math.max(code + 1, 2 * counts.length)));
        longer.set(counts);
        counts = longer;
      }
      most = Math.max(most, code);
      counts[code]!++;
    }
  }
  return counts.subarray(0, most + 1);
}
