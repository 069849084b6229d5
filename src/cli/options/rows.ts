/** The option for all rows of a long table. */
import { flag } from '../command/option.js';
import { SHOWN_ROWS } from '../terminal/row-limit.js';

export const allOption = { all: flag(`show every row, not the first ${SHOWN_ROWS} only`) };
