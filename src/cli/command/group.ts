/** Commands by name: those of the program, and those inside another command. */
import { didYouMean, type ListwiseError, quote } from '../../errors.js';
import { type Command, globalOptions } from './command.js';
import { type Options, usage } from './option.js';
import { sortWords } from './words.js';

/** A command in a list. What it takes and does is loaded when it is wanted. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command | Group>;
}

export interface Group {
  /** What a member is called: `command`, `analysis`. */
  readonly noun: string;
  readonly plural: string;
  readonly members: readonly Entry[];
  /** What is done where no member is named. */
  readonly alone?: Command;
}

export function isGroup(found: Command | Group): found is Group {
  return 'members' in found;
}

/** What a command line asks for: the command or the group, by what name, and with which words. */
export interface Route {
  /** Empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly found: Command | Group;
  readonly words: readonly string[];
  readonly help: boolean;
}

/** Follows the names in the words, from group to group. */
export async function follow(from: Omit<Route, 'help'>): Promise<Route> {
  const { found, path, words } = from;
  const options: Options = isGroup(found) ? (found.alone?.options ?? globalOptions) : found.options;
  const { inputs, help, problem } = sortWords(words, options);
  const first = inputs[0];
  if (!isGroup(found) || first === undefined) {
    if (!help && isGroup(found) && found.alone === undefined && problem !== undefined) throw problem;
    return { ...from, help };
  }
  const member = found.members.find(({ name }) => name === first.word);
  if (member === undefined) throw noMember(found, first.word, path.length === 0);
  return follow({
    path: [...path, member.name],
    summary: member.summary,
    found: await member.load(),
    words: words.filter((_, at) => at !== first.at),
  });
}

function noMember({ noun, plural, members }: Group, name: string, root: boolean): ListwiseError {
  const names = members.map(member => member.name);
  const near = didYouMean(name, names);
  const end = root ? near.replace(/\.$/, '') : `${near} ${plural}: ${names.join(', ')}`;
  return usage(`there is no ${noun} ${quote(name)}${end}`);
}
