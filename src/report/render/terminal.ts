/** A document as text for the terminal: tables, remarks, and the charts that can be drawn there, in their order. */
import { cellValue } from '../cells.js';
import type { BarsChart, LinesChart } from '../charts.js';
import { column, rightColumn } from '../columns.js';
import type { Block, Cell, Section, TableBlock, TableColumn, ValuesBlock } from '../document.js';
import { fixed, plain } from '../numbers.js';
import { shownOn } from '../shown-on.js';
import { count } from '../words.js';
import { paper, type Screen } from './screen.js';
import { plainCurve, SPARKLINE_WIDTH, sparkline } from './sparkline.js';
import { bar, textTable } from './text-table.js';

export function terminalText(sections: readonly Section[], screen: Screen = paper): string {
  return shownOn('terminal', sections)
    .map(({ blocks, close }) =>
      blocks
        .map(block => blockText(block, screen))
        .filter(Boolean)
        .join(close ? '\n' : '\n\n'),
    )
    .filter(Boolean)
    .join('\n\n');
}

function blockText(block: Block, screen: Screen): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'table':
      return tableText(block, screen);
    case 'values':
      return valuesText(block, screen);
    case 'bars':
      return barsText(block, screen);
    case 'lines':
      return curveText(block, screen);
    default:
      return ''; // pictures that a terminal cannot show
  }
}

export function tableText({ columns, rows, foot = [], first }: TableBlock, screen: Screen): string {
  const shown = first === undefined ? rows : rows.slice(0, first.rows);
  const left = rows.length - shown.length;
  const table = textTable(
    columns.flatMap(column => heads(column)),
    [...shown, ...foot].map(row => row.flatMap((cell, c) => texts(cell, columns[c]!))),
    screen,
  );
  return left > 0 ? `${table}\n… and ${count(left)} more (${first!.rest})` : table;
}

function heads({ title, style, align = style && 'right', interval }: TableColumn) {
  return [{ title, align }, ...(interval === undefined ? [] : [{ title: interval, align }])];
}

function texts(cell: Cell, { style, digits, interval }: TableColumn): string[] {
  const value = plain(cellValue(cell), style, digits);
  if (interval === undefined) return [value];
  const ends = typeof cell === 'object' && 'interval' in cell ? cell.interval : [];
  return [value, ends.map(end => plain(end, style, digits)).join(' to ')];
}

function valuesText({ title = '', values }: ValuesBlock, screen: Screen): string {
  const rows = values.map(({ label, value, style, digits }) => [label, plain(value, style, digits)]);
  return textTable([{ title }, { title: '', align: 'right' }], rows, screen);
}

/** A row a bar: its name, its details, its value, and the bar itself. */
function barsText({ item, x, bars }: BarsChart, screen: Screen): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const details = bars[0]?.details ?? [];
  const columns = [
    rightColumn(item),
    ...details.map(({ label, style }) => column(label, style)),
    column(x.label, x.style),
  ];
  return textTable(
    [...columns.flatMap(heads), { title: '' }],
    bars.map(({ name, value, details: own = [] }) => [
      name,
      ...own.map(detail => plain(detail.value, detail.style)),
      plain(value, x.style),
      bar(value / most, screen),
    ]),
    screen,
  );
}

/** The last line of the chart between its first and its last value; none where there is no curve. */
function curveText({ series, y }: LinesChart, { width, unicode }: Screen): string {
  const values = series.at(-1)?.y ?? [];
  if (values.length < 2) return '';
  if (!unicode) return `${y.label} ${plainCurve(values)}`;
  const [first, last] = [fixed(values[0]!), fixed(values.at(-1)!)];
  const beside = `${y.label} ${first}  ${last}`.length;
  const room = width === undefined ? SPARKLINE_WIDTH : Math.max(2, Math.min(SPARKLINE_WIDTH, width - beside));
  return `${y.label} ${first} ${sparkline(values, room)} ${last}`;
}
