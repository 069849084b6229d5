/** From a declared command to the parser's: flags, help, examples. */
import { Command, Option } from 'commander';
import type { CommandDefinition, CommandOption, OptionValues } from './command.js';
import { paragraph, shellLines } from './wrap.js';

const GLOBAL = 'Every command:';

/** Flags that every command has. */
export const globalOptions: readonly CommandOption[] = [
  { flags: '--json', description: 'print one JSON object instead of text' },
  { flags: '--seed <n>', description: 'seed of everything random', default: 1 },
  { flags: '--threads <n>', description: 'threads to use (default: all cores)' },
  { flags: '--quiet', description: 'no notes and no progress' },
];

/** `run` gets the arguments and options of a command line that fits. */
export function declare(
  definition: CommandDefinition,
  run: (args: readonly string[], options: OptionValues) => Promise<void> | void,
): Command {
  const command = declareFlags(definition);
  const helpOfAll = command.helpInformation.bind(command);
  const onWord = () => definition.helpOn?.(command.args[0]);
  command.helpInformation = context => {
    const one = onWord();
    return one === undefined ? helpOfAll(context) : declareFlags(one).helpInformation(context);
  };
  command.addHelpText('after', () => helpEnd(onWord() ?? definition));
  command.action((...given: unknown[]) => {
    const args = given
      .slice(0, definition.arguments.length)
      .flat()
      .filter(arg => arg !== undefined) as string[];
    return run(args, given[definition.arguments.length] as OptionValues);
  });
  return command.exitOverride().configureOutput({ writeErr: () => {} });
}

/** What a command takes, as the parser and its help have it. */
function declareFlags(definition: Omit<CommandDefinition, 'run'>): Command {
  const command = new Command(definition.name).description(definition.summary);
  for (const argument of definition.arguments) command.argument(argument.name, argument.description);
  for (const option of definition.options) command.addOption(declareOption(option));
  for (const option of globalOptions) command.addOption(declareOption({ ...option, group: GLOBAL }));
  return command.addHelpOption(new Option('-h, --help', 'show this').helpGroup(GLOBAL));
}

function declareOption(option: CommandOption): Option {
  const declared = new Option(option.flags, option.description);
  if (option.default !== undefined) declared.default(option.default);
  if (option.choices !== undefined) declared.choices(option.choices);
  if (option.repeat) declared.argParser((value: string, all: string[] = []) => [...all, value]);
  if (option.group !== undefined) declared.helpGroup(option.group);
  return declared;
}

/** What help ends with: notes, and examples that can be copied as they stand. */
function helpEnd({ notes = [], examples }: Omit<CommandDefinition, 'run'>): string {
  const width = process.stdout.columns || 80;
  const parts = notes.length === 0 ? [] : [notes.map(note => paragraph(note, width, '    ')).join('\n')];
  parts.push(['Examples:', ...examples.flatMap(example => shellLines(example, width))].join('\n'));
  return `\n${parts.join('\n\n')}`;
}

/** The arguments and options of a command line of this command, without running it. */
export function parseWords(definition: CommandDefinition, words: readonly string[]): [string[], OptionValues] {
  let parsed: [string[], OptionValues] = [[], {}];
  declare(definition, (args, options) => {
    parsed = [[...args], options];
  }).parse(words, { from: 'user' });
  return parsed;
}
