/** CSV and TSV: see delimited-scanner.ts. */
import type { Reader } from '../reader.js';
import { DelimitedScanner } from './delimited-scanner.js';
import { assignRoles } from './roles.js';
import { streamTextTables } from './text-tables.js';

function delimitedReader(name: string, title: string, separators: string): Reader {
  return {
    name,
    title,
    extensions: [name],
    table: true,
    queryByHeader(header, options, file) {
      const separator = [...separators].find(one => fieldsOf(header, one).length > 1);
      if (separator === undefined) return undefined;
      const names = fieldsOf(header, separator).map(name => name.trim());
      const { query } = assignRoles(names, options, file);
      return query === undefined ? undefined : line => fieldsOf(line, separator)[names.indexOf(query)];
    },
    stream: (inputs, options, sink) => streamTextTables(inputs, options, sink, () => new DelimitedScanner(separators)),
  };
}

/** Of a line by itself, which may be but a part of a record; none where its quotes are not those of fields. */
function fieldsOf(line: string, separator: string): string[] {
  const fields: string[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}]*))(${separator}|\\r?$)`, 'y');
  for (let found = field.exec(line); found !== null; found = field.exec(line)) {
    fields.push(found[1] ?? found[2]!.trimEnd());
    if (found[3] !== separator) return fields;
  }
  return [];
}

export const csv = delimitedReader('csv', 'values with a header line, separated by commas, semicolons or tabs', ',;\t');
export const tsv = delimitedReader('tsv', 'tab-separated values with a header line', '\t');
