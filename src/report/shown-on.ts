/** The part of a document that a page or a terminal shows. */
import type { Block, Section, TableBlock } from './document.js';

type Place = 'page' | 'terminal';

export function shownOn(place: Place, sections: readonly Section[]): Section[] {
  return sections.flatMap(section => {
    const blocks = section.blocks
      .filter(block => isShown(place, block))
      .map(block => (block.kind === 'table' ? columnsOn(place, block) : block));
    return blocks.length === 0 && section.blocks.length > 0 ? [] : [{ ...section, blocks }];
  });
}

/** Sections of a page that the terminal does without. */
export function onPageOnly(sections: readonly Section[]): Section[] {
  return shownOn('page', sections).map(section => ({
    ...section,
    blocks: section.blocks.map(block => ({ ...block, on: 'page' })),
  }));
}

function isShown(place: Place, { kind, on = kind === 'text' || kind === 'table' ? 'both' : 'page' }: Block): boolean {
  return on === place || on === 'both';
}

export function columnsOn<Table extends TableBlock>(place: Place | 'csv', table: Table): Table {
  const { columns } = table;
  if (columns.every(({ on }) => on === undefined)) return table;
  return cut(table, cells => cells.filter((_, c) => columns[c]!.on?.includes(place) ?? true));
}

/** The table with some of its columns. */
export function cut<Table extends TableBlock>(table: Table, kept: <T>(cells: readonly T[]) => T[]): Table {
  const { foot } = table;
  return { ...table, columns: kept(table.columns), rows: table.rows.map(kept), ...(foot && { foot: foot.map(kept) }) };
}
