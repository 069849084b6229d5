/** The option that tells queries apart. */
import { text } from '../command/option.js';

export const byOption = {
  by: text('column', 'values by segment, too: queries told apart by a column, the same for all their documents'),
};
