/** Tables: numbers to the right, sorted by a click on a head, at first 20 rows, on paper up to 200. */
import { cellNote, cellValue } from '../cells.js';
import type { Cell, TableBlock, TableColumn } from '../document.js';
import { withMinusSigns, written } from '../numbers.js';
import { saveCsv } from './downloads.js';
import { button, element } from './element.js';
import { growing } from './growing.js';
import { coverCut } from './kept-column.js';
import { opened } from './opened.js';
import { leftOutNote, onPrinting, printing } from './printing.js';
import { sortHeads } from './sorting.js';

const FIRST_ROWS = 20;
/** A few pages full. */
const PAPER_ROWS = 200;
/** Of all rows so many are made at a time, as one comes to their end. */
const MORE_ROWS = 200;
/** And so many before anything is drawn: more than a screen has. */
const SEEN_ROWS = 60;
/** Texts of more characters get more room where the table scrolls. */
const LONG = 28;
/** Tables of more columns are set closer. */
const DENSE = 8;

/** The table with its title and a button that saves it. */
export function tableFigure(table: TableBlock): HTMLElement {
  return element(
    'figure',
    { class: 'whole' },
    element(
      'div',
      { class: 'heading' },
      element('figcaption', {}, table.title),
      element(
        'div',
        { class: 'tools' },
        button('CSV', () => saveCsv(table), { 'aria-label': `Save ${table.title} as CSV` }),
      ),
    ),
    plainTable(table),
  );
}

export function plainTable(table: TableBlock): HTMLElement {
  const body = element('tbody');
  const sorting = sortHeads(
    table.title,
    table.columns.map(column => ({
      title: column.title,
      class: classOf(column, isNumber(column) ? 'number' : 'text'),
      largestFirst: column.style !== undefined,
    })),
    () => fill(),
  );
  const whole = `all rows of ${table.title}`;
  let asked = opened.has(whole);
  let all = table.rows.length <= FIRST_ROWS || asked;
  const more = button(`Show all ${table.rows.length.toLocaleString('en-GB')} rows`, () => {
    all = true;
    asked = true;
    fill();
  });
  more.className = 'more';
  const leftOut = leftOutNote();
  // Of what a view draws anew as many rows as there were: whoever reads far below stays there.
  const grown = growing(body, {
    first: SEEN_ROWS,
    more: MORE_ROWS,
    count: opened.get(whole),
    grew: count => asked && opened.set(whole, count),
  });

  function fill(same = false): void {
    const rows = sorting.sorted(table.rows, (row, c) => cellValue(row[c]!));
    const most = printing() ? PAPER_ROWS : all ? rows.length : FIRST_ROWS;
    grown.fill(rows.length, row => rowElement(table, rows[row]!), most, { same, atOnce: printing() });
    more.hidden = all;
    leftOut.say(Math.max(0, rows.length - most));
  }

  fill(true);
  const head = element('thead', {}, element('tr', {}, ...sorting.heads));
  const dense = table.columns.length > DENSE ? { class: 'dense' } : {};
  const foot = table.foot?.map(row => rowElement(table, row)) ?? [];
  const sums = foot.length === 0 ? [] : [element('tfoot', {}, ...foot)];
  const made = element('table', { 'aria-label': table.title, ...dense }, head, body, ...sums);
  // Focusable, so that a keyboard can scroll it where it is wider than the screen.
  const scroll = element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': table.title }, made);
  coverCut(scroll, made, sorting.heads);
  const withEnd = element('div', {}, scroll, grown.end, more, leftOut.note);
  if (table.rows.length > FIRST_ROWS) onPrinting(withEnd, () => fill());
  return withEnd;
}

function classOf({ verdict = false }: TableColumn, kind: string): string {
  return verdict ? `${kind} kept` : kind;
}

function isNumber({ style, align }: TableColumn): boolean {
  return style !== undefined || align === 'right';
}

function rowElement({ columns }: TableBlock, row: readonly Cell[]): HTMLTableRowElement {
  const cells = row.map((cell, c) => {
    const column = columns[c]!;
    const [value, note] = [cellValue(cell), cellNote(cell, column)];
    const kind = isNumber(column) ? 'number' : String(value).length > LONG ? 'text long' : 'text';
    const href = linkOf(column, value);
    const plain = written(value, column.style, column.digits);
    // What leads somewhere is a name, and stays as it is.
    const shown = href === undefined ? withMinusSigns(plain) : plain;
    const made = element('td', { class: classOf(column, kind) }, href === undefined ? shown : anchor(href, shown));
    if (note !== undefined) made.append(element('span', { class: 'note' }, note));
    return made;
  });
  return element('tr', {}, ...cells);
}

/** Within the page, or on the web; nothing else, whatever a file says. */
function linkOf({ link }: TableColumn, value: string | number): string | undefined {
  if (link === undefined || !/^(#|https?:\/\/)/.test(link)) return undefined;
  return link.replaceAll('{}', encodeURIComponent(value));
}

function anchor(href: string, text: string): HTMLElement {
  const away = href.startsWith('#') ? {} : { target: '_blank', rel: 'noopener noreferrer' };
  return element('a', { href, ...away }, text);
}
