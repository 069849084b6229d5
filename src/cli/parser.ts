/** From a declared command to the parser's: flags, help, examples. */
import { Command, Option } from 'commander';
import type { CommandDefinition, OptionValues } from './command.js';

/** Flags that every command has. */
export const globalOptions = [
  { flags: '--json', description: 'print one JSON object instead of text' },
  { flags: '--seed <n>', description: 'seed of everything random', default: 1 },
  { flags: '--threads <n>', description: 'threads to use (default: all cores)' },
  { flags: '--quiet', description: 'no notes and no progress' },
] as const;

/** `run` gets the arguments and options of a command line that fits. */
export function declare(
  definition: CommandDefinition,
  run: (args: readonly string[], options: OptionValues) => Promise<void> | void,
): Command {
  const command = new Command(definition.name).description(definition.summary);
  for (const argument of definition.arguments) command.argument(argument.name, argument.description);
  for (const option of [...definition.options, ...globalOptions]) {
    const declared = new Option(option.flags, option.description);
    if ('default' in option && option.default !== undefined) declared.default(option.default);
    if ('choices' in option && option.choices !== undefined) declared.choices(option.choices);
    if ('repeat' in option && option.repeat) declared.argParser((value: string, all: string[] = []) => [...all, value]);
    command.addOption(declared);
  }
  command.addHelpText('after', `\nExamples:\n${definition.examples.map(example => `  $ ${example}`).join('\n')}`);
  command.action((...given: unknown[]) => {
    const args = given
      .slice(0, definition.arguments.length)
      .flat()
      .filter(arg => arg !== undefined) as string[];
    return run(args, given[definition.arguments.length] as OptionValues);
  });
  return command.exitOverride().configureOutput({ writeErr: () => {} });
}

/** The arguments and options of a command line of this command, without running it. */
export function parseWords(definition: CommandDefinition, words: readonly string[]): [string[], OptionValues] {
  let parsed: [string[], OptionValues] = [[], {}];
  declare(definition, (args, options) => {
    parsed = [[...args], options];
  }).parse(words, { from: 'user' });
  return parsed;
}
