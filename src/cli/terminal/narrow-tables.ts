/**
 * Tables wider than the terminal: long texts go on in the next line; where that is not enough, columns stand in several
 * tables.
 */
import { displayWidth, isRule } from './terminal.js';
import { paragraph } from './wrap.js';

const GAP = '  ';
/** Columns of text are not made narrower than this. */
const LEAST_TEXT = 20;

/** A cell has its blanks, so that numbers stay to the right; rows begin with the head and the rule. */
interface Grid {
  readonly widths: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

/** The text with every table in it at most `width` columns wide, where its cells allow that. */
export function narrowTables(text: string, width: number): string {
  const lines = text.split('\n');
  const done: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!isRule(lines[i + 1]) || displayWidth(lines[i + 1]!) <= width) {
      done.push(lines[i]!);
      continue;
    }
    let end = i + 2;
    while (end < lines.length && lines[end] !== '' && !lines[end]!.startsWith('…')) end++;
    done.push(narrowed(gridOf(lines.slice(i, end)), width));
    i = end - 1;
  }
  return done.join('\n');
}

function narrowed(grid: Grid, width: number): string {
  const wrapped = withTextsWrapped(grid, width);
  if (total(wrapped.widths) <= width) return drawn(wrapped);
  return pieces(grid, width)
    .map(columns => drawn(withTextsWrapped(only(grid, columns), width)))
    .join('\n\n');
}

/** Cells by the columns of the screen that the rule has lines in. */
function gridOf(lines: readonly string[]): Grid {
  const spans = [...lines[1]!.matchAll(/[─-]+/g)].map(({ index, 0: line }) => ({ from: index, width: line.length }));
  const widths = spans.map(span => span.width);
  const rows = lines.map(line => {
    const cells = spans.map(() => '');
    let at = 0;
    for (const character of line) {
      const c = spans.findLastIndex(({ from }) => from <= at);
      cells[c] += character;
      at += displayWidth(character);
    }
    return cells.map((cell, c) => padded(cell.trimEnd(), widths[c]!));
  });
  return { widths, rows };
}

/** The longest texts first, each as narrow as it must be. */
function withTextsWrapped({ widths, rows }: Grid, width: number): Grid {
  const narrow = [...widths];
  for (const c of widths.map((_, column) => column).sort((a, b) => widths[b]! - widths[a]!)) {
    const words = rows.filter((_, r) => r !== 1).flatMap(row => row[c]!.trim().split(' '));
    const least = Math.max(LEAST_TEXT, ...words.map(displayWidth));
    narrow[c] = Math.min(narrow[c]!, Math.max(least, narrow[c]! - (total(narrow) - width)));
  }
  const cell = (text: string, c: number, r: number): string[] => {
    if (narrow[c] === widths[c]) return [text];
    return r === 1 ? ['─'.repeat(narrow[c]!)] : paragraph(text.trim(), narrow[c]!, '').split('\n');
  };
  return {
    widths: narrow,
    rows: rows.flatMap((row, r) => {
      const lines = row.map((text, c) => cell(text, c, r));
      const height = Math.max(...lines.map(({ length }) => length));
      return Array.from({ length: height }, (_, l) => lines.map((own, c) => padded(own[l] ?? '', narrow[c]!)));
    }),
  };
}

/** The columns of each table: the first ones, which tell the rows apart, are in all. */
function pieces({ widths, rows }: Grid, width: number): number[][] {
  const body = rows.slice(2);
  const apart = (columns: number) => new Set(body.map(row => row.slice(0, columns).join(GAP))).size === body.length;
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

function only({ widths, rows }: Grid, columns: readonly number[]): Grid {
  const chosen = <Value>(all: readonly Value[]) => columns.map(c => all[c]!);
  return { widths: chosen(widths), rows: rows.map(chosen) };
}

function drawn({ rows }: Grid): string {
  return rows.map(row => row.join(GAP).trimEnd()).join('\n');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}
