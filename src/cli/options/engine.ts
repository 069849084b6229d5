/** The options that name an engine, shared by the commands about deployments. */
import { engineRules } from '../../interop/engines/all.js';
import { transforms } from '../../interop/transform.js';
import { choice, grouped, text } from '../command/option.js';

const names = [...new Set(engineRules.map(({ engine }) => engine))].join(', ');

export const engineOptions = grouped('The engine:', {
  engine: text('name@version', `the engine and its version: ${names}`, {
    required: 'give --engine NAME@VERSION, such as opensearch@3.8',
  }),
  to: text('format', 'format of the model that the engine is given (default: the one it takes best)'),
  offset: text('x', 'what convert adds to every score: a number, or "auto" (default: as convert --engine does)'),
  transform: choice(transforms, 'name', 'what the engine makes of sums (default: as the file of the model says)'),
});
