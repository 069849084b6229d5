/** Tables wider than the screen: long texts are wrapped; where that is not enough, columns go into further tables. */
import { wrapped as linesOf } from './paragraph.js';
import { displayWidth } from './screen.js';

/** Between columns, in columns of the screen. */
const GAP = 2;
/** Columns of text are not made narrower than this. */
const LEAST_TEXT = 20;

/** A cell has its blanks, so that numbers stay to the right; a row whose texts are broken takes several lines. */
export interface Grid {
  readonly widths: readonly number[];
  readonly head: readonly (readonly string[])[];
  readonly body: readonly (readonly string[])[];
}

/** The table as one or several that are at most `width` columns wide, where the cells allow that. */
export function grids(grid: Grid, width: number | undefined): Grid[] {
  if (width === undefined || total(grid.widths) <= width) return [grid];
  const wrapped = withTextsWrapped(grid, width);
  if (total(wrapped.widths) <= width) return [wrapped];
  return pieces(grid, width).map(columns => withTextsWrapped(only(grid, columns), width));
}

/** The longest texts first, each as narrow as it must be. */
function withTextsWrapped({ widths, head, body }: Grid, width: number): Grid {
  const narrow = [...widths];
  for (const c of widths.map((_, column) => column).sort((a, b) => widths[b]! - widths[a]!)) {
    const words = [...head, ...body].flatMap(row => row[c]!.trim().split(' '));
    const least = words.reduce((most, word) => Math.max(most, displayWidth(word)), LEAST_TEXT);
    narrow[c] = Math.min(narrow[c]!, Math.max(least, narrow[c]! - (total(narrow) - width)));
  }
  const wrapped = (row: readonly string[]) => {
    const lines = row.map((text, c) => (narrow[c] === widths[c] ? [text] : linesOf(text.trim(), narrow[c]!)));
    const height = Math.max(...lines.map(({ length }) => length));
    return Array.from({ length: height }, (_, l) => lines.map((own, c) => padded(own[l] ?? '', narrow[c]!)));
  };
  return { widths: narrow, head: head.flatMap(wrapped), body: body.flatMap(wrapped) };
}

/** The columns of each table: the first ones, which tell the rows apart, are in all. */
function pieces({ widths, body }: Grid, width: number): number[][] {
  const apart = (columns: number) => new Set(body.map(row => row.slice(0, columns).join(' '))).size === body.length;
  let first = 1;
  while (first < widths.length - 1 && !apart(first) && total(widths.slice(0, first + 1)) <= width / 2) first++;
  const keys = widths.slice(0, first).map((_, c) => c);
  const tables = [[...keys]];
  for (let c = first; c < widths.length; c++) {
    const last = tables.at(-1)!;
    const fits = total([...last, c].map(column => widths[column]!)) <= width;
    if (fits || last.length === first) last.push(c);
    else tables.push([...keys, c]);
  }
  return tables;
}

function only({ widths, head, body }: Grid, columns: readonly number[]): Grid {
  const chosen = <Value>(all: readonly Value[]) => columns.map(c => all[c]!);
  return { widths: chosen(widths), head: head.map(chosen), body: body.map(chosen) };
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}
