/** A finished file of the feature log as Parquet: the same columns, a fraction of the bytes. */
import { chmod, stat, unlink } from 'node:fs/promises';
import { identifier, literal, loadDuckDB, withDuckDB } from '../data/readers/duckdb/session.js';
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

/** A column that no line has is left out: `train` would take it for one without values. */
const OPTIONAL = [writtenNames.label, 'served_query'];

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
    await connection.run(`CREATE VIEW lines AS SELECT * FROM read_json(${literal(file)}, ${how})`);
    const counts = OPTIONAL.filter(name => columns.has(name)).map(name => `count(${identifier(name)})`);
    const reader = await connection.runAndReadAll(`SELECT ${counts.join(', ')} FROM lines`);
    const [found = []] = reader.getRowsJson();
    const empty = OPTIONAL.filter((_, i) => Number(found[i]) === 0).map(identifier);
    const kept = empty.length === 0 ? '*' : `* EXCLUDE (${empty.join(', ')})`;
    const options = 'FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false';
    await connection.run(`COPY (SELECT ${kept} FROM lines) TO ${literal(unfinished)} (${options})`);
  });
}
