/** The flag that names objectives, for analyses that take several. */
import type { CommandOption } from '../command.js';

export function objectivesOption(standard: string): CommandOption {
  return {
    flags: '--objective <spec>',
    description: `an objective; repeat to compare several (default: ${standard})`,
    repeat: true,
  };
}
