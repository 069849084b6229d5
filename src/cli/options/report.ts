/** The options that say where results go. */
import { text } from '../command/option.js';

export const outOption = { out: text({ value: 'file', description: 'write the result to this file' }) };

export const reportOption = {
  report: text({ value: 'file', description: 'write a page to look at: one HTML file that opens without network' }),
};
