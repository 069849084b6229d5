/** Writes CSV, TSV and JSON lines, a few hundred rows at a time. */
import { ListwiseError, quote } from '../../errors.js';
import type { Dataset } from '../dataset.js';
import type { FileSet } from '../whole-file.js';
import type { Writer } from '../writer.js';
import { forEachRow, type OutputColumn, outputColumns } from './columns.js';
import { shortestFloat32 } from './shortest-float.js';
import { numberText, writeColumn } from './side-files.js';

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
    async write(data, target, files) {
      const columns = outputColumns(data);
      await files.text(target, async sink => {
        let text = line.header(columns);
        await forEachRow(
          data,
          (row, feature) => {
            text += line.row(columns, row, feature);
          },
          async () => {
            await sink.write(text);
            text = '';
          },
        );
      });
      await writeQueryWeights(data, target, files);
    },
  };
}

/** A table has no place for a value a query: it goes to the side file that reading finds. */
export async function writeQueryWeights(data: Dataset, target: string, files: FileSet): Promise<void> {
  if (data.queryWeights !== undefined) await writeColumn(files, `${target}.weight`, data.queryWeights);
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
          if (!Number.isNaN(value)) text += shortestFloat32(value);
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
  const value = column.kind === 'feature' ? feature(column.feature) : column.at(row);
  if (Object.is(value, -0)) return '-0.0'; // a whole -0 would be read as 0
  return Number.isNaN(value) ? 'null' : column.kind === 'feature' ? shortestFloat32(value) : String(value);
}

export const csv = tableWriter('csv', 'comma-separated values with a header line', ['csv'], delimited(','));
export const tsv = tableWriter('tsv', 'tab-separated values with a header line', ['tsv'], delimited('\t'));
export const jsonl = tableWriter('jsonl', 'JSON lines, one object a line', ['jsonl', 'ndjson'], objects);
