/** Every format a data set can be read from. */

import { duckdb } from './duckdb/database.js';
import { csv, tsv } from './duckdb/delimited.js';
import { jsonl } from './duckdb/json-lines.js';
import { parquet } from './duckdb/parquet.js';
import { featureLog } from './feature-log/feature-log.js';
import type { Reader } from './reader.js';
import { svmlight } from './svmlight/svmlight.js';

export const readers: readonly Reader[] = [svmlight, csv, tsv, jsonl, parquet, duckdb, featureLog];
