/** Long tables show their first rows unless all are asked for. */
import type { TableBlock } from '../../report/document.js';

export const SHOWN_ROWS = 20;

export function firstRows({ all }: { readonly all: boolean }): TableBlock['first'] {
  return all ? undefined : { rows: SHOWN_ROWS, rest: '--all shows every one' };
}
