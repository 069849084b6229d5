/** A finished file of the feature log as Parquet: the same columns, a fraction of the bytes. */
import { createReadStream } from 'node:fs';
import { chmod, stat, unlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { literal, loadDuckDB, withDuckDB } from '../data/readers/duckdb/session.js';
import { writtenNames } from '../data/readers/tables/roles.js';
import { writeTogether } from '../io/whole-file.js';

/** What every line may have; features come behind them. */
export const LOG_COLUMNS = {
  [writtenNames.query]: 'VARCHAR',
  [writtenNames.document]: 'VARCHAR',
  [writtenNames.position]: 'INTEGER',
  served_query: 'VARCHAR',
  served_model: 'VARCHAR',
  served_at: 'VARCHAR',
  served_score: 'DOUBLE',
  [writtenNames.label]: 'DOUBLE',
} as const;

/** Refuses at the start what would fail at the first full file. */
export async function parquetIsThere(): Promise<void> {
  await loadDuckDB();
}

/** Writes lines of `file`, whose columns are given by name and type, as `target`, and deletes them. */
export async function toParquet(file: string, target: string, columns: ReadonlyMap<string, string>): Promise<void> {
  await writeTogether(async files => {
    const unfinished = files.temporary(target);
    await chmod(unfinished, (await stat(file)).mode & 0o777); // it is for the same people
    await copy(file, unfinished, columns);
  });
  await unlink(file);
}

async function copy(file: string, unfinished: string, columns: ReadonlyMap<string, string>): Promise<void> {
  const typed = Array.from(columns, ([name, type]) => `${literal(name)}: ${literal(type)}`).join(', ');
  await withDuckDB({ threads: 1, files: [file, unfinished] }, async ({ connection }) => {
    const how = `format = 'newline_delimited', columns = {${typed}}`;
    const options = 'FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false';
    const lines = `SELECT * FROM read_json(${literal(file)}, ${how})`;
    await connection.run(`COPY (${lines}) TO ${literal(unfinished)} (${options})`);
  });
}

/** Columns of a file of lines: what is written as a text, and numbers. */
export async function columnsOf(file: string): Promise<Map<string, string>> {
  const columns = new Map<string, string>(Object.entries(LOG_COLUMNS));
  for await (const line of createInterface({ input: createReadStream(file) })) {
    for (const [name, value] of Object.entries(JSON.parse(line) as Record<string, unknown>)) {
      if (!(name in LOG_COLUMNS) && (typeof value === 'string' || !columns.has(name)))
        columns.set(name, typeof value === 'string' ? 'VARCHAR' : 'FLOAT');
    }
  }
  return columns;
}
