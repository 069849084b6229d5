/** Draws the report that the page holds. Runs in the browser, from a file, without network. */

import type { Block, Report, Section, ValuesBlock } from '../document.js';
import { withMinusSigns, written } from '../numbers.js';
import { chartFigure } from './chart-figure.js';
import { choiceElement } from './choice.js';
import { element } from './element.js';
import { originFooter } from './origin.js';
import { tableFigure } from './table.js';
import { themeButton, watchTheme } from './theme.js';

/** JSON has no NaN: what is null in it is a number that does not exist. */
function readReport(): Report {
  const text = document.getElementById('report')!.textContent;
  return JSON.parse(text, (_, value) => (value === null ? Number.NaN : value)) as Report;
}

function blockElement(block: Block): HTMLElement {
  switch (block.kind) {
    case 'text':
      return element('p', { class: 'whole' }, withMinusSigns(block.text));
    case 'values':
      return valuesElement(block);
    case 'table':
      return tableFigure(block);
    case 'choice':
      return choiceElement(block);
    default:
      return chartFigure(block);
  }
}

function valuesElement({ values }: ValuesBlock): HTMLElement {
  const items = values.map(({ label, value, style, digits, note }) =>
    element(
      'div',
      {},
      element('dt', {}, label),
      element(
        'dd',
        typeof value === 'string' ? { class: 'words' } : {},
        written(value, style, digits),
        ...(note === undefined ? [] : [element('span', { class: 'note' }, note)]),
      ),
    ),
  );
  return element('dl', { class: 'values whole' }, ...items);
}

function sectionElement({ title, lead, blocks }: Section, number: number): HTMLElement {
  return element(
    'section',
    { id: `section-${number}`, 'aria-labelledby': `heading-${number}` },
    element('h2', { id: `heading-${number}` }, title),
    ...(lead === undefined ? [] : [element('p', { class: 'lead' }, withMinusSigns(lead))]),
    element('div', { class: 'blocks' }, ...inRows(blocks.map(blockElement))),
  );
}

/** Charts that follow each other stand side by side where there is room, if they do not ask for the whole width. */
function inRows(blocks: readonly HTMLElement[]): HTMLElement[] {
  const placed: HTMLElement[] = [];
  let row: HTMLElement | undefined;
  for (const block of blocks) {
    if (block.matches('.whole')) {
      row = undefined;
      placed.push(block);
    } else if (row === undefined) placed.push((row = element('div', { class: 'row' }, block)));
    else row.append(block);
  }
  return placed;
}

function contents(sections: readonly Section[]): HTMLElement {
  const links = sections.map(({ title }, i) => element('li', {}, element('a', { href: `#section-${i + 1}` }, title)));
  return element('nav', { 'aria-label': 'Contents' }, element('ul', {}, ...links));
}

watchTheme();
const report = readReport();
document.querySelector('header')!.append(themeButton());
const main = document.querySelector('main')!;
if (report.sections.length > 2) main.append(contents(report.sections));
main.append(...report.sections.map((section, i) => sectionElement(section, i + 1)));
document.body.append(originFooter(report.origin));
