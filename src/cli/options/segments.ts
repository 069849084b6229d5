/** The option that tells queries apart. */
import { text } from '../command/option.js';

export const byOption = {
  by: text('column', 'values by segment, too: a column with one value per query'),
};
