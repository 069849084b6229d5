/** JSON lines: one object a line, its keys are the columns; a key that a row leaves out is a missing value there. */
import { ListwiseError, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { jsonPlaces } from '../../../io/json-places.js';
import type { FileOnDisk } from '../../../io/spool.js';
import { columnOf, textLines } from '../../../io/text-lines.js';
import type { Reader } from '../reader.js';
import { tableStream } from './read-tables.js';
import { asCoded, literal, type Session } from './session.js';
import { numberOfText, rowsTaken, type Table } from './table.js';

export const jsonl: Reader = {
  name: 'jsonl',
  title: 'JSON lines, one object a line',
  extensions: ['jsonl', 'ndjson'],
  table: true,
  passes: 2, // lines are counted first
  stream: tableStream(jsonTable),
};

export async function jsonTable(session: Session, input: FileOnDisk): Promise<Table> {
  const { lines: rows, longest } = await scanLines(input);
  if (rows === 0) throw new ListwiseError('data-empty', 'the file is empty', { file: input.name });
  const settings =
    `format='newline_delimited', ignore_errors=false, compression='${input.gzip ? 'gzip' : 'uncompressed'}', ` +
    `maximum_object_size=${Math.max(1 << 24, 2 * longest)}`;
  const explain = async (message: string) => {
    await refuseBrokenLine(input);
    if (/ has duplicate key "/.test(message)) await refuseRepeatedKey(input);
  };
  const keys = await objectKeys(session, `read_json_objects(${literal(input.path)}, ${settings})`).catch(
    async error => {
      await explain(String(error));
      throw asCoded(error, input.name, 'JSON lines');
    },
  );
  if (keys.length === 0) await refuseBrokenLine(input);
  checkKeys(keys, input.name);
  // Every value as JSON text: DuckDB's own guess at types would turn ids such as "007" or "2024-01-02" into something
  // else.
  const types = keys.map(key => `${literal(key)}: 'JSON'`);
  return {
    file: input.name,
    format: 'JSON lines',
    columns: keys.map(key => {
      const column = `"${key.replaceAll('"', '""')}"`;
      return { name: key, type: 'text', number: numberOfText(`${column}::VARCHAR`), text: `(${column} ->> '$')` };
    }),
    from: `read_json(${literal(input.path)}, ${settings}, auto_detect=false, columns={${types.join(', ')}})`,
    rows,
    taken: rowsTaken(input, rows),
    place: async (row, column) => {
      const { line, text } = await scanLines(input, row);
      if (text === undefined) return undefined;
      const key = jsonPlaces(text).keys.find(({ name }) => name === keys[column]);
      // A key that is left out would stand before the end of the object.
      return { line, column: columnOf(text, key?.valueAt ?? text.lastIndexOf('}')) };
    },
    explain,
  };
}

/** All keys of all objects, in the order in which they first appear. */
async function objectKeys(session: Session, objects: string): Promise<string[]> {
  const lists = await session.connection.runAndReadAll(
    `SELECT keys FROM (SELECT json_keys(json) AS keys, row_number() OVER () AS row FROM ${objects}) GROUP BY keys ORDER BY min(row)`,
  );
  const keys = new Set<string>();
  for (const [list] of lists.getRowsJson()) for (const key of list as string[]) keys.add(key);
  return [...keys];
}

/** DuckDB's column names know no case; two keys that differ in it alone would be mixed up. */
function checkKeys(keys: readonly string[], file: string): void {
  const seen = new Map<string, string>();
  for (const key of keys) {
    // SQL ends at a NUL.
    if (key.includes('\0')) throw new ListwiseError('table-syntax', `the key ${quote(key)} holds a NUL`, { file });
    const other = seen.get(key.toLowerCase());
    if (other !== undefined) {
      throw new ListwiseError('feature-duplicate', `the keys ${quote(other)} and ${quote(key)} differ in case alone`, {
        file,
      });
    }
    seen.set(key.toLowerCase(), key);
  }
}

/**
 * How many lines hold something, the longest of them in characters; number and text of line `until` of these, from 0.
 */
async function scanLines(
  input: Input,
  until = Infinity,
): Promise<{ lines: number; longest: number; line: number; text?: string }> {
  let lines = 0;
  let longest = 0;
  let line = 0;
  for await (const batch of textLines(input)) {
    for (const text of batch.lines) {
      line++;
      if (/^[ \t]*$/.test(text)) continue;
      if (lines === until) return { lines, longest, line, text };
      longest = Math.max(longest, text.length);
      lines++;
    }
  }
  return { lines, longest, line };
}

/** Throws for the first line that is no JSON object. DuckDB's own line numbers are off by one here. */
async function refuseBrokenLine(input: Input): Promise<void> {
  for await (const batch of textLines(input)) {
    for (const [i, text] of batch.lines.entries()) {
      if (/^[ \t]*$/.test(text)) continue;
      const problem = objectProblem(text);
      if (problem === undefined) continue;
      const column = columnOf(text, jsonPlaces(text).brokenAt ?? text.search(/[^ \t]/));
      throw new ListwiseError('table-syntax', problem, { file: input.name, line: batch.first + i, column });
    }
  }
}

async function refuseRepeatedKey(input: Input): Promise<void> {
  for await (const batch of textLines(input)) {
    for (const [i, text] of batch.lines.entries()) {
      const seen = new Set<string>();
      for (const { name, at } of jsonPlaces(text).keys) {
        if (seen.has(name)) {
          const place = { file: input.name, line: batch.first + i, column: columnOf(text, at) };
          throw new ListwiseError('feature-duplicate', `the object has the key ${quote(name)} twice`, place);
        }
        seen.add(name);
      }
    }
  }
}

function objectProblem(text: string): string | undefined {
  let value: unknown;
  try {
    // NaN and infinities are no JSON, but DuckDB reads them and Python writes them.
    value = JSON.parse(text.replaceAll(/(?<=[:,[]\s*)-?(NaN|Infinity)\b/g, '0'));
  } catch (error) {
    return `not a JSON object: ${(error as Error).message.replaceAll('\n', ' ').slice(0, 160)}`;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  return `a line must hold one JSON object, found ${quote(text)}`;
}
