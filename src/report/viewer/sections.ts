/** Sections of a document as elements: what report pages and the studio show. */
import type { Block, Section, ValuesBlock } from '../document.js';
import { withMinusSigns, written } from '../numbers.js';
import { chartFigure } from './chart-figure.js';
import { choiceElement } from './choice.js';
import { element } from './element.js';
import { tableFigure } from './table.js';

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

export function sectionElement({ title, lead, blocks }: Section, number: number): HTMLElement {
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
