/** Every format a data set can be read from. */

import { duckdb } from './duckdb/database.js';
import { parquet } from './duckdb/parquet.js';
import { featureLog } from './feature-log/feature-log.js';
import type { Reader } from './reader.js';
import { svmlight } from './svmlight/svmlight.js';
import { csv, tsv } from './tables/delimited.js';
import { jsonl } from './tables/json-lines.js';

export const readers: readonly Reader[] = [svmlight, csv, tsv, jsonl, parquet, duckdb, featureLog];
