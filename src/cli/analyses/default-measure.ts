/** The flags of measures for an analysis that judges by one measure where none is named. */
import type { CommandOption } from '../command.js';
import { measureOptions } from '../measure-options.js';

export function withDefaultMeasure(measure: string): CommandOption[] {
  return measureOptions.map(option =>
    option.flags.startsWith('-m,')
      ? { ...option, description: `measures, separated by commas; repeatable (default: ${measure})` }
      : option,
  );
}
