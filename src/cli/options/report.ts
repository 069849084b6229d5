/** The options that say where results go. */
import { text } from '../command/option.js';

export const outOption = { out: text('file', 'write the result to this file', { writes: true, tried: ['output'] }) };

export const reportOption = {
  report: text('file', 'write a report: one HTML file that opens without a network', { writes: true }),
};
