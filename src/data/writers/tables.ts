/** Writes CSV, TSV and JSON lines, a few hundred rows at a time. */
import { ListwiseError, quote } from '../../errors.js';
import type { FileSet } from '../../io/whole-file.js';
import { forEachRow, type OutputColumn, outputColumns } from './columns.js';
import { shortestFloat32 } from './shortest-float.js';
import { numberText, writeColumn } from './side-files.js';
import type { Writer } from './writer.js';

/** How a row of cells becomes a line. */
interface Line {
  header(columns: readonly OutputColumn[]): string;
  row(columns: readonly OutputColumn[], row: number, feature: (f: number) => number): string;
}

function tableWriter(name: string, title: string, extensions: readonly string[], line: Line): Writer {
  return {
    name,
    title,
    extensions,
    gzip: true,
    async write(parts, target, files, options) {
      const queryWeights: Float64Array[] = [];
      await files.text(target, async sink => {
        let header = true;
        for (const data of parts) {
          const columns = outputColumns(data);
          let text = header ? line.header(columns) : '';
          header = false;
          await forEachRow(
            data,
            (row, feature) => {
              text += line.row(columns, row, feature);
            },
            async () => {
              await sink.write(text);
              text = '';
            },
            options.progress,
          );
          if (data.queryWeights !== undefined) queryWeights.push(data.queryWeights);
        }
      });
      await writeQueryWeights(queryWeights, target, files);
    },
  };
}

/** A table has no place for a value a query: it goes to the side file that reading finds. */
export async function writeQueryWeights(parts: readonly Float64Array[], target: string, files: FileSet): Promise<void> {
  if (parts.length > 0)
    await writeColumn(files, `${target}.weight`, Float64Array.from(parts.flatMap(part => [...part])));
}

/** Fields with the delimiter, quotes, line ends or blanks at their ends are quoted, as in RFC 4180. */
function delimited(delimiter: string): Line {
  const special = new RegExp(`["\\r\\n${delimiter}]|^\\s|\\s$`);
  const field = (text: string) => {
    if (text.includes('\0')) throw new ListwiseError('file-unwritable', `${quote(text)} holds a NUL byte`);
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return {
    header: columns => `${columns.map(column => field(column.name)).join(delimiter)}\n`,
    row(columns, row, feature) {
      let text = '';
      for (const [c, column] of columns.entries()) {
        if (c > 0) text += delimiter;
        if (column.kind === 'feature') {
          const value = feature(column.feature);
          if (!Number.isNaN(value)) text += column.exact?.(row) ?? shortestFloat32(value);
        } else text += column.kind === 'text' ? field(column.at(row)) : numberText(column.at(row), '');
      }
      return `${text}\n`;
    },
  };
}

const objects: Line = {
  header: () => '',
  row(columns, row, feature) {
    const pairs = columns.map(column => `${JSON.stringify(column.name)}:${jsonValue(column, row, feature)}`);
    return `{${pairs.join(',')}}\n`;
  },
};

function jsonValue(column: OutputColumn, row: number, feature: (f: number) => number): string {
  if (column.kind === 'text') return JSON.stringify(column.at(row));
  const exact = column.kind === 'feature' ? column.exact?.(row) : undefined;
  if (exact !== undefined) return exact;
  const value = column.kind === 'feature' ? feature(column.feature) : column.at(row);
  if (Object.is(value, -0)) return '-0.0'; // a whole -0 would be read as 0
  return Number.isNaN(value) ? 'null' : column.kind === 'feature' ? shortestFloat32(value) : String(value);
}

export const csv = tableWriter('csv', 'comma-separated values with a header line', ['csv'], delimited(','));
export const tsv = tableWriter('tsv', 'tab-separated values with a header line', ['tsv'], delimited('\t'));
export const jsonl = tableWriter('jsonl', 'JSON lines, one object a line', ['jsonl', 'ndjson'], objects);
