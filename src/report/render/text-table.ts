/** Aligned tables for the terminal: text to the left, numbers to the right; widths are columns on the screen. */
import { type Grid, grids } from './grid.js';
import { asciiOnly, displayWidth, paper, type Screen, style, visible } from './screen.js';

export interface TextColumn {
  readonly title: string;
  readonly align?: 'right' | undefined;
}

export function textTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  screen: Screen = paper,
): string {
  const texts = [columns.map(({ title }) => title), ...rows].map(cells => cells.map(visible));
  const widths = columns.map((_, c) => texts.reduce((widest, cells) => Math.max(widest, displayWidth(cells[c]!)), 0));
  const [head, ...body] = texts.map(cells =>
    cells.map((cell, c) => {
      const blanks = ' '.repeat(widths[c]! - displayWidth(cell));
      return columns[c]!.align === 'right' ? blanks + cell : cell + blanks;
    }),
  );
  return grids({ widths, head: [head!], body }, screen.width)
    .map(grid => drawn(grid, screen))
    .join('\n\n');
}

/** Heads bold, the rule below dim. */
function drawn({ widths, head, body }: Grid, { unicode, colour }: Screen): string {
  const line = (cells: readonly string[]) => cells.join('  ').trimEnd();
  const rule = line(widths.map(width => '─'.repeat(width)));
  const styled = (format: 'bold' | 'dim', text: string) => (colour ? style(format, text) : text);
  return [
    ...head.map(cells => styled('bold', line(cells))),
    styled('dim', unicode ? rule : asciiOnly(rule)),
    ...body.map(line),
  ].join('\n');
}

const BAR = 30;

/** A bar in eighths of a character. */
export function bar(share: number, { unicode }: Screen): string {
  const eighths = Math.round(share * BAR * 8);
  const drawn = '█'.repeat(eighths >> 3) + (eighths & 7 ? '▏▎▍▌▋▊▉'[(eighths & 7) - 1]! : '');
  return unicode ? drawn : asciiOnly(drawn);
}
