/** Parquet files. */

import type { FileOnDisk } from '../../../io/spool.js';
import type { Reader } from '../reader.js';
import { tableStream } from './read-tables.js';
import { asCoded, literal, type Session } from './session.js';
import { rowsTaken, type Table, typedColumns } from './table.js';

export const parquet: Reader = {
  name: 'parquet',
  title: 'Apache Parquet',
  extensions: ['parquet'],
  table: true,
  stream: tableStream(parquetTable, true),
};

export async function parquetTable(session: Session, input: FileOnDisk): Promise<Table> {
  const from = `read_parquet(${literal(input.path)}, hive_partitioning=false)`;
  try {
    // The number of rows that the file's footer states.
    const stated = await session.connection.runAndReadAll(
      `SELECT num_rows FROM parquet_file_metadata(${literal(input.path)})`,
    );
    const rows = Number(stated.getRows()[0]?.[0]);
    return {
      file: input.name,
      format: 'Parquet',
      columns: await typedColumns(session.connection, from),
      from,
      rows,
      taken: rowsTaken(input, rows),
    };
  } catch (error) {
    throw asCoded(error, input.name, 'Parquet');
  }
}
