/** Every format a data set can be written in. */

import { parquet } from './parquet.js';
import { svmlight } from './svmlight.js';
import { csv, jsonl, tsv } from './tables.js';
import type { Writer } from './writer.js';

export const writers: readonly Writer[] = [svmlight, csv, tsv, jsonl, parquet];
