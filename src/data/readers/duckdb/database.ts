/** A SQL query over a DuckDB database file, which is opened read-only. */
import { ListwiseError, quote } from '../../../errors.js';
import { type FileOnDisk, withSpool } from '../../../io/spool.js';
import { unchanging } from '../../../io/unchanging.js';
import type { Reader, ReadOptions } from '../reader.js';
import { streamTables } from './read-tables.js';
import { asCoded, identifier, type Session, withDuckDB } from './session.js';
import { type Table, typedColumns } from './table.js';

export const duckdb: Reader = {
  name: 'duckdb',
  title: 'a SQL query over a DuckDB database file',
  extensions: ['duckdb', 'db'],
  table: true,
  sql: true,
  stream: (inputs, options, sink) =>
    withSpool(async spool => {
      if (inputs.length !== 1) {
        throw new ListwiseError('option-invalid', `one database at a time, found ${inputs.length} files`);
      }
      const input = await spool.file(inputs[0]!, true);
      const refuseChanged = await unchanging(input.path);
      let opened = false;
      try {
        await withDuckDB({ database: input.path, threads: options.threads }, async session => {
          opened = true;
          async function* tables() {
            yield await queryTable(session, input, options);
          }
          return streamTables(session, tables(), options, sink);
        });
      } catch (error) {
        const coded = opened ? error : asCoded(error, input.name, 'a DuckDB database');
        if (coded === error || !(coded instanceof ListwiseError)) throw error;
        throw new ListwiseError('data-format', coded.detail, coded.place);
      }
      await refuseChanged();
    }),
};

async function queryTable(session: Session, input: FileOnDisk, options: ReadOptions): Promise<Table> {
  const sql = options.sql ?? `FROM ${await onlyTable(session, input.name)}`;
  try {
    const statements = await session.connection.extractStatements(sql);
    if (statements.count !== 1) throw new Error(`Parser Error: one statement is expected, found ${statements.count}`);
    // Its own lines: a comment at the end of the query must not swallow the bracket.
    const from = `(\n${sql.replace(/[\s;]+$/, '')}\n) AS rows_of_query`;
    const columns = await typedColumns(session.connection, from);
    return {
      file: input.name,
      format: 'the result of the query',
      columns,
      from,
      rows: undefined,
    };
  } catch (error) {
    const coded = asCoded(error, input.name, 'a table');
    if (!(coded instanceof ListwiseError)) throw error;
    throw new ListwiseError('sql-failed', `the query ${coded.detail}`, { file: input.name });
  }
}

/** The table to read where no query is given. */
async function onlyTable(session: Session, file: string): Promise<string> {
  const found = await session.connection.runAndReadAll(
    'SELECT schema_name, table_name FROM duckdb_tables() UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL',
  );
  const tables = found.getRowsJson().map(([schema, table]) => [String(schema), String(table)] as const);
  if (tables.length === 1) return tables[0]!.map(identifier).join('.');
  const names = tables.map(([schema, table]) => quote(schema === 'main' ? table : `${schema}.${table}`)).join(', ');
  throw new ListwiseError(
    'sql-failed',
    tables.length === 0 ? 'the database holds no table' : `say with \`sql\` what to read; the database holds ${names}`,
    { file },
  );
}
