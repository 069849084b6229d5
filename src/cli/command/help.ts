/** What `--help` shows of a command or a group, from its record. */
import { paragraph, wrapped } from '../../report/render/paragraph.js';
import { shellLines } from '../terminal/shell-lines.js';
import { argumentWords } from './argument.js';
import { type Command, globalOptions } from './command.js';
import { isGroup, type Route } from './group.js';
import { flagOf, type Option, type Options } from './option.js';

type Row = readonly [term: string, description: string];

const HELP: Row = ['-h, --help', 'show this'];

export function helpText({ path, summary, found }: Omit<Route, 'help' | 'words'>, width: number): string {
  const name = ['listwise', ...path].join(' ');
  if (!isGroup(found)) return commandHelp(name, summary, found, width);
  const { plural, noun, members, alone } = found;
  const parts = [
    paragraph(`Usage: ${name} ${alone === undefined ? `<${noun}>` : `[${noun}]`} [options]`, width),
    paragraph(summary, width, ''),
    section(
      `${plural}:`,
      members.map(member => [member.name, member.summary] as const),
      width,
    ),
    ...(path.length === 0 ? [section('Options:', [['-v, --version', 'print the version'], HELP], width)] : []),
    ...(alone === undefined ? [] : optionSections(alone.options, width)),
    paragraph(`${name} ${noun.toUpperCase()} --help shows its options.`, width),
    ...(alone === undefined ? [] : [exampleLines(alone, width)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function commandHelp(name: string, summary: string, command: Command, width: number): string {
  const { arguments: taken, options, notes } = command;
  const args = Object.entries(taken).map(([key, { description }]) => [key, description] as const);
  const parts = [
    paragraph(`Usage: ${[name, '[options]', ...argumentWords(taken)].join(' ')}`, width),
    paragraph(summary, width, ''),
    ...optionSections(options, width, args),
    notes.map(note => paragraph(note, width, '    ')).join('\n'),
    exampleLines(command, width),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Options under their headings, after what stands before them; descriptions begin at one column. */
function optionSections(options: Options, width: number, args: readonly Row[] = []): string[] {
  const groups = new Map<string, Row[]>([['Options:', []]]);
  for (const [key, option] of Object.entries(options)) {
    const { group = 'Options:' } = option;
    groups.set(group, [...(groups.get(group) ?? []), [term(key, option), described(option)]]);
  }
  const last = globalOptions.json.group!;
  groups.set(last, [...groups.get(last)!, HELP]);
  const longest = Math.max(...[...args, ...[...groups.values()].flat()].map(([first]) => first.length));
  return [['Arguments:', args] as const, ...groups]
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => section(title, rows, width, longest));
}

function exampleLines({ examples }: Command, width: number): string {
  return ['Examples:', ...examples.flatMap(example => shellLines(example, width))].join('\n');
}

function term(key: string, { short, value, valueIf }: Option<unknown>): string {
  const after = value === undefined ? '' : valueIf === undefined ? ` <${value}>` : ` [${value}]`;
  return `${short === undefined ? '' : `-${short}, `}${flagOf(key)}${after}`;
}

function described({ description, choices, shown }: Option<unknown>): string {
  const more = [
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(shown === undefined ? [] : [`default: ${shown}`]),
  ];
  return more.length === 0 ? description : `${description} (${more.join('; ')})`;
}

function section(
  title: string,
  rows: readonly Row[],
  width: number,
  longest = Math.max(...rows.map(([first]) => first.length)),
): string {
  const indent = ' '.repeat(longest + 4);
  const lines = rows.map(([first, description]) => {
    const [head = '', ...more] = wrapped(description, Math.max(30, width - indent.length));
    return [`  ${first.padEnd(longest)}  ${head}`, ...more.map(line => indent + line)].join('\n');
  });
  return [title, ...lines].join('\n');
}
