/** What the reader must give, derived naively from the reference's rows. */
import type { Dataset } from '#listwise/data/dataset.js';
import {
  type LineOptions,
  parseText,
  type SvmlightRow,
} from '#listwise/data/readers/svmlight/parse-svmlight.reference.js';
import { ListwiseError } from '#listwise/errors.js';

/** A row as text: its label, document id and the features that are not absent. */
function rowText(label: number, document: string, features: Iterable<[number, number]>, absent: number): string {
  const given = [...features].filter(([, value]) => !Object.is(value, absent)).sort(([a], [b]) => a - b);
  return `${shown(label)} ${given.map(([index, value]) => `${index}=${shown(value)}`).join(' ')} #${document}`;
}

function shown(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Everything a data set says, as lines that a failing test can print. */
export function datasetText(data: Dataset, absent: number): string[] {
  const lines = [`features ${data.features}`];
  for (const block of data.blocks) {
    if (!data.offsets.includes(block.start)) throw new Error(`block at row ${block.start} starts inside a query`);
  }
  for (let q = 0; q < data.queries; q++) {
    lines.push(`query ${data.queryIds[q]}`);
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
      const block = data.blockOf(row);
      const features: [number, number][] = [];
      for (let f = 0; f < data.features; f++) {
        const value = block.data[f * block.stride + row - block.start]!;
        if (!Object.is(value, absent)) features.push([f, value]);
      }
      const input = (data.inputRows?.[row] ?? row) + 1;
      lines.push(`${input}: ${rowText(data.label()[row]!, data.documentId(row), features, absent)}`);
    }
  }
  return lines;
}

/** The same of rows from the reference, over all inputs. */
export function rowsText(rows: readonly SvmlightRow[], absent: number): string[] {
  const queries = new Map<string, string[]>();
  let features = 0;
  for (const [i, row] of rows.entries()) {
    for (const { index } of row.features) features = Math.max(features, index + 1);
    const pairs = row.features.map(({ index, value }): [number, number] => [index, value]);
    const text = `${i + 1}: ${rowText(row.label, row.documentId ?? String(i + 1), pairs, absent)}`;
    const id = row.query ?? '';
    if (!queries.has(id)) queries.set(id, [`query ${id}`]);
    queries.get(id)!.push(text);
  }
  return [`features ${features}`, ...[...queries.values()].flat()];
}

/** What reading the bytes must come to by the reference: the data, or the error with its place. */
export function expectedOutcome(bytes: Uint8Array, options: LineOptions, absent: number): string[] {
  return outcome(() => {
    const rows = parseText(bytes, options);
    if (rows.length === 0) throw new ListwiseError('data-empty', '');
    const ignored = options.needQuery ? rows : rows.map(row => ({ ...row, query: 'outside' }));
    return rowsText(ignored, absent);
  });
}

function outcome(run: () => string[]): string[] {
  try {
    return run();
  } catch (error) {
    return [errorText(error)];
  }
}

export function errorText(error: unknown): string {
  if (!(error instanceof ListwiseError)) throw error;
  return `${error.code} at ${error.place.line}:${error.place.column}`;
}
