/** CSV and TSV. Nothing is guessed: a header, the format's delimiter, quotes as in RFC 4180, every line a row. */

import type { FileOnDisk } from '../../../io/spool.js';
import type { Reader } from '../reader.js';
import { tableStream } from './read-tables.js';
import { scanDelimited } from './scan-delimited.js';
import { literal } from './session.js';
import { numberOfText, rowsTaken, type Table } from './table.js';

function delimitedReader(name: string, title: string, delimiter: string): Reader {
  return {
    name,
    title,
    extensions: [name],
    table: true,
    passes: 2, // see scan-delimited.ts
    stream: tableStream((_, input) => delimitedTable(input, delimiter)),
  };
}

export async function delimitedTable(input: FileOnDisk, delimiter: string): Promise<Table> {
  const byte = delimiter.charCodeAt(0);
  const { header, records, mixedLineEnds, longest } = await scanDelimited(input, byte);
  const types = header.map((_, c) => `c${c}: 'VARCHAR'`);
  const settings = [
    `delim=${literal(delimiter)}, quote='"', escape='"', header=true, skip=0, nullstr='', comment=''`,
    // Only the lax mode takes mixed line ends; that all else is as it should be, the scan has seen.
    `auto_detect=false, strict_mode=${!mixedLineEnds}, null_padding=false, ignore_errors=false, hive_partitioning=false`,
    `compression='${input.gzip ? 'gzip' : 'none'}', max_line_size=${Math.max(2_097_152, 2 * longest)}`,
    `columns={${types.join(', ')}}`,
  ];
  return {
    file: input.name,
    format: 'delimited text',
    columns: header.map((name, c) => ({ name, type: 'text', number: numberOfText(`c${c}`), text: `c${c}` })),
    from: `read_csv(${literal(input.path)}, ${settings.join(', ')})`,
    rows: records,
    taken: rowsTaken(input, records),
    place: async (row, column) => (await scanDelimited(input, byte, { row, column })).place,
  };
}

export const csv = delimitedReader('csv', 'comma-separated values with a header line', ',');
export const tsv = delimitedReader('tsv', 'tab-separated values with a header line', '\t');
