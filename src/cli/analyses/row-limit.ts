/** Long tables show their first rows unless all are asked for. */
import type { CommandOption, OptionValues } from '../command.js';
import { count } from '../table.js';

const SHOWN_ROWS = 20;

export const allOption: CommandOption = {
  flags: '--all',
  description: `show every row, not the first ${SHOWN_ROWS} only`,
};

/** The rows to show, and a line that says how many there are beyond. */
export function shownRows<T>(rows: readonly T[], options: OptionValues): { shown: readonly T[]; beyond: string[] } {
  const shown = options.all === true ? rows : rows.slice(0, SHOWN_ROWS);
  const left = rows.length - shown.length;
  return { shown, beyond: left > 0 ? [`… and ${count(left)} more (--all shows every one)`] : [] };
}
