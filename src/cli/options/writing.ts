/** The options that say how data is written. */
import { writers } from '../../data/writers/all.js';
import { choice, flag, text } from '../command/option.js';

export const writingOptions = {
  to: choice(
    writers.map(writer => writer.name),
    'format',
    "format to write (default: from the output's name)",
  ),
  split: text('shares', 'split by query, such as 0.6,0.2,0.2: OUT gets .train, .validate, .test'),
  splitBy: text('column', 'split by the values of a column: times and numbers in their order, others in groups'),
  sparse: flag('leave out zeros, in SVMlight'),
};
