/**
 * A report without what a clock measured, so that the same inputs give the same page: whatever is written in the style
 * `seconds`.
 */
import type { NumberStyle } from './charts.js';
import type { Block, Report, TableBlock } from './page.js';

export function withoutTimes(report: Report): Report {
  const sections = report.sections.map(section => ({ ...section, blocks: section.blocks.flatMap(blockWithoutTimes) }));
  return { ...report, sections: sections.filter(({ blocks }) => blocks.length > 0) };
}

function blockWithoutTimes(block: Block): Block[] {
  if (block.kind === 'table') return [tableWithoutTimes(block)];
  if (block.kind === 'figures') {
    const figures = block.figures.filter(timeless);
    return figures.length === 0 ? [] : [{ ...block, figures }];
  }
  return block.kind === 'lines' && !timeless(block.y) ? [] : [block];
}

function tableWithoutTimes(table: TableBlock): TableBlock {
  const kept = <T>(cells: readonly T[]) => cells.filter((_, column) => timeless(table.columns[column]!));
  return { ...table, columns: kept(table.columns), rows: table.rows.map(kept) };
}

function timeless({ style }: { readonly style?: NumberStyle }): boolean {
  return style !== 'seconds';
}
