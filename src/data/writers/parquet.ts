/** Writes Parquet through DuckDB: rows are appended to a table in memory, which DuckDB copies to the file. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { DuckDBAppender, DuckDBValue } from '@duckdb/node-api';
import { ListwiseError } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import { asCoded, type DuckDB, identifier, literal, withDuckDB } from '../readers/duckdb/session.js';
import { forEachRow, type OutputColumn, outputColumns } from './columns.js';
import { writeQueryWeights } from './tables.js';
import type { WriteOptions, Writer } from './writer.js';

const SQL_TYPES = { text: 'VARCHAR', number: 'DOUBLE', feature: 'FLOAT' } as const;

/** DuckDB takes chunks of at most this many rows. */
const CHUNK = 2048;

export const parquet: Writer = {
  name: 'parquet',
  title: 'Apache Parquet',
  extensions: ['parquet'],
  gzip: false,
  async write(parts, target, files, options) {
    const temporary = files.temporary(target);
    const queryWeights: Float64Array[] = [];
    await withDuckDB({ threads: options.threads, files: [temporary] }, async ({ api, connection }) => {
      let appender: DuckDBAppender | undefined;
      let types: SqlType[] = [];
      for (const data of parts) {
        const columns = outputColumns(data);
        if (appender === undefined) {
          types = columns.map(typeOf);
          const declared = columns.map((column, c) => `${identifier(column.name)} ${types[c]}`);
          await connection.run(`CREATE TABLE rows_of_data (${declared.join(', ')})`);
          appender = await connection.createAppender('rows_of_data');
        }
        await appendRows(api, appender, data, columns, types, options.progress);
        if (data.queryWeights !== undefined) queryWeights.push(data.queryWeights);
      }
      appender?.closeSync();
      // DuckDB would write beside it and rename, on a thread that goes on when a signal has taken the file away.
      // And a signal that came while rows were appended takes effect before it makes the file: it is heard between one
      // turn of the event loop and the next.
      await yieldToEvents();
      await yieldToEvents();
      const how = 'FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false';
      await connection.run(`COPY rows_of_data TO ${literal(temporary)} (${how})`);
    }).catch(error => {
      const coded = asCoded(error, target, 'Parquet');
      if (coded === error || !(coded instanceof ListwiseError)) throw error;
      throw new ListwiseError('file-unwritable', `cannot be written: ${coded.detail}`, { file: target });
    });
    await writeQueryWeights(queryWeights, target, files);
  },
};

async function appendRows(
  api: DuckDB,
  appender: DuckDBAppender,
  data: Dataset,
  columns: readonly OutputColumn[],
  sqlTypes: readonly SqlType[],
  progress: WriteOptions['progress'],
): Promise<void> {
  const types = sqlTypes.map(type => api[type]);
  let cells: DuckDBValue[][] = columns.map(() => []);
  const flush = () => {
    if (cells[0]!.length === 0) return;
    const chunk = api.DuckDBDataChunk.create(types, cells[0]!.length);
    chunk.setColumns(cells);
    appender.appendDataChunk(chunk);
    cells = columns.map(() => []);
  };
  await forEachRow(
    data,
    (row, feature) => {
      for (const [c, column] of columns.entries()) cells[c]!.push(cell(column, row, feature));
    },
    async () => {
      if (cells[0]!.length + 256 > CHUNK) flush();
    },
    progress,
  );
  flush();
}

type SqlType = (typeof SQL_TYPES)[keyof typeof SQL_TYPES];

/** Features are float32 as in a data set, but for those whose whole numbers float32 does not hold. */
function typeOf(column: OutputColumn): SqlType {
  return column.kind === 'feature' && column.exact !== undefined ? SQL_TYPES.number : SQL_TYPES[column.kind];
}

/** A missing value is NULL. */
function cell(column: OutputColumn, row: number, feature: (f: number) => number): DuckDBValue {
  if (column.kind === 'text') return column.at(row);
  const value = column.kind === 'feature' ? Number(column.exact?.(row) ?? feature(column.feature)) : column.at(row);
  return Number.isNaN(value) ? null : value;
}
