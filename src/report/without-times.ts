/** A report without what a clock measured (the style `seconds`): the same inputs give the same page. */
import type { NumberStyle } from './charts.js';
import type { Block, Report } from './document.js';
import { cut } from './shown-on.js';

export function withoutTimes(report: Report): Report {
  const sections = report.sections.map(section => ({ ...section, blocks: section.blocks.flatMap(blockWithoutTimes) }));
  return { ...report, sections: sections.filter(({ blocks }) => blocks.length > 0) };
}

function blockWithoutTimes(block: Block): Block[] {
  if (block.kind === 'table') return [cut(block, cells => cells.filter((_, c) => timeless(block.columns[c]!)))];
  if (block.kind === 'values') {
    const values = block.values.filter(timeless);
    return values.length === 0 ? [] : [{ ...block, values }];
  }
  return block.kind === 'lines' && !timeless(block.y) ? [] : [block];
}

function timeless({ style }: { readonly style?: NumberStyle }): boolean {
  return style !== 'seconds';
}
