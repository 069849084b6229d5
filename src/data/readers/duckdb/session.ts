/** DuckDB as an optional package: loaded where a table is read or written; where it is absent, a message says so. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ListwiseError, quote } from '../../../errors.js';
import { makeTemporaryFolder, removeFolder } from '../../../io/temporary-folder.js';

export type DuckDB = typeof import('@duckdb/node-api');

export interface Session {
  readonly api: DuckDB;
  readonly connection: DuckDBConnection;
}

/** Loads the package; `load` is replaced in tests. */
export async function loadDuckDB(load: () => Promise<DuckDB> = () => import('@duckdb/node-api')): Promise<DuckDB> {
  try {
    return await load();
  } catch (error) {
    if (!/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new ListwiseError(
      'dependency-missing',
      'Parquet files and databases are read and written through DuckDB, which is not installed; run: npm install @duckdb/node-api',
    );
  }
}

interface SessionOptions {
  /** A database file, which is opened read-only; otherwise the database is in memory. */
  readonly database?: string | undefined;
  /** The files that are read or written beside it. */
  readonly files?: readonly string[];
  readonly threads?: number | undefined;
}

/** Runs `work` with a connection that reaches the files of the options and no others, whatever a query or view says. */
export async function withDuckDB<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
  const api = await loadDuckDB();
  const folder = makeTemporaryFolder();
  try {
    return await inFolder(api, folder, options, work);
  } finally {
    removeFolder(folder);
  }
}

async function inFolder<T>(
  api: DuckDB,
  folder: string,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const settings: Record<string, string> = {
    // Never a download: what is needed is built in.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Rows come in input order, whatever the number of threads.
    preserve_insertion_order: 'true',
    // Large sorts in a user's SQL go here, not beside the user's files.
    temp_directory: folder,
  };
  if (options.threads !== undefined) settings.threads = String(options.threads);
  if (options.database !== undefined) settings.access_mode = 'READ_ONLY';
  const instance = await api.DuckDBInstance.create(options.database ?? ':memory:', settings);
  try {
    const connection = await instance.connect();
    try {
      // One after the other: paths can be allowed only while all are, and nothing can be set once it is locked.
      await connection.run(`SET allowed_paths = [${(options.files ?? []).map(literal).join(', ')}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run('SET lock_configuration = true');
      return await work({ api, connection });
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What DuckDB says of a file of some format, as one coded line with the place it names. */
export function asCoded(error: unknown, file: string, format: string): unknown {
  if (error instanceof ListwiseError || !(error instanceof Error)) return error;
  // Errors of Node's own (codes) and of this code (TypeError and the like) are not DuckDB's.
  if (error.constructor !== Error || (error as NodeJS.ErrnoException).code !== undefined) return error;
  const [kind = '', ...rest] = error.message.split(': ');
  const detail = `cannot be read as ${format}: ${firstSentence(rest.join(': ') || kind)}`;
  const line =
    /\bon Line: (\d+)/.exec(error.message)?.[1] ?? /\bin line (\d+): (?!unexpected)/.exec(error.message)?.[1];
  const place = { file, line: line === undefined ? undefined : Number(line) };
  if (/^IO Error/.test(kind)) return new ListwiseError('file-unreadable', detail, place);
  if (/^Out of Memory/.test(kind)) return new ListwiseError('data-too-large', detail, place);
  return new ListwiseError(/invalid unicode/i.test(error.message) ? 'data-binary' : 'table-syntax', detail, place);
}

/** The lines that say what is wrong, without the advice and the settings that DuckDB lists after them. */
function firstSentence(message: string): string {
  const lines = message
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^(CSV Error on Line|Original Line)/.test(line));
  const end = lines.findIndex(line => /^(Possible|Column .* is being|This type was|\* |LINE \d|Try )/.test(line));
  const said = lines.slice(0, end < 0 ? 2 : Math.min(end, 2)).join(' ');
  const shown = [...said].map(char => (char < ' ' ? '?' : char)).join('');
  return shown === '' ? quote(message) : shown.length > 240 ? `${shown.slice(0, 237)}...` : shown;
}
