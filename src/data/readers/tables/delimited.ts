/** CSV and TSV: see delimited-scanner.ts. */
import type { Reader } from '../reader.js';
import { DelimitedScanner } from './delimited-scanner.js';
import { streamTextTables } from './text-tables.js';

function delimitedReader(name: string, title: string, separators: string): Reader {
  return {
    name,
    title,
    extensions: [name],
    table: true,
    stream: (inputs, options, sink) => streamTextTables(inputs, options, sink, () => new DelimitedScanner(separators)),
  };
}

export const csv = delimitedReader('csv', 'values with a header line, separated by commas, semicolons or tabs', ',;\t');
export const tsv = delimitedReader('tsv', 'tab-separated values with a header line', '\t');
