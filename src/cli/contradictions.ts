/** Flags that do not go together, said before anything is read. */
import { ListwiseError } from '../errors.js';
import type { CommandOption, OptionValues } from './command.js';

export function usage(detail: string): ListwiseError {
  return new ListwiseError('usage', detail);
}

/** `-` can be read only once. */
export function refuseStdinTwice(files: readonly (string | undefined)[]): void {
  if (files.filter(file => file === '-').length > 1) throw usage('only one input can be stdin (-)');
}

/**
 * The flag of an option without its value, and the key its value has: `--query-col <column>` is `--query-col`,
 * `queryCol`.
 */
export function flagOf(option: CommandOption): { flag: string; key: string } {
  const flag = /--[a-z-]+/.exec(option.flags)![0];
  return { flag, key: flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) };
}

/** Refuses flags that mean nothing here; a flag at its default cannot be told from one that was not given. */
export function refuseFlags(options: OptionValues, flags: readonly CommandOption[], why: string): void {
  for (const option of flags) {
    const { flag, key } = flagOf(option);
    const value = options[key];
    if (value === undefined || value === false || value === option.default) continue;
    throw usage(`${flag} does not go with ${why}`);
  }
}
