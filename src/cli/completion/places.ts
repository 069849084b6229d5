/** What can stand where in a command line, from the declarations: shared by the scripts of all shells. */
import { type Command, globalOptions } from '../command/command.js';
import { type Group, isGroup } from '../command/group.js';
import { flagOf, type Options } from '../command/option.js';

export interface Flag {
  /** `--measure`, and `-m` where it has one letter. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The values that there are; other values are taken to be files. */
  readonly choices: readonly string[];
  /** Some values that there are: others may be files. */
  readonly suggested: readonly string[];
}

/** A command or a group by its names, such as `analyse why`; the program itself is the empty one. */
export interface Place {
  readonly path: string;
  readonly members: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly Flag[];
}

export async function placesOf(found: Command | Group, path: readonly string[] = []): Promise<Place[]> {
  const members = isGroup(found) ? found.members : [];
  const options: Options = isGroup(found) ? (found.alone?.options ?? globalOptions) : found.options;
  const below: Place[] = [];
  for (const { name, load } of members) below.push(...(await placesOf(await load(), [...path, name])));
  const place = {
    path: path.join(' '),
    members: members.map(({ name, summary }) => ({ name, summary })),
    flags: [...(await flagsOf(options)), ...(path.length === 0 ? [VERSION] : []), HELP],
  };
  return [place, ...below];
}

const alone = { takesValue: false, choices: [], suggested: [] };
const HELP: Flag = { names: ['--help', '-h'], description: 'show help', ...alone };
const VERSION: Flag = { names: ['--version', '-v'], description: 'print the version', ...alone };

function flagsOf(options: Options): Promise<Flag[]> {
  const flags = Object.entries(options).map(
    async ([key, { short, description, value, valueIf, choices = [], suggests }]) => ({
      names: [flagOf(key), ...(short === undefined ? [] : [`-${short}`])],
      description,
      takesValue: value !== undefined && valueIf === undefined,
      choices,
      suggested: (await suggests?.()) ?? [],
    }),
  );
  return Promise.all(flags);
}

/** In single quotes, for any of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The branches of a `case` on `PATH:FLAG` for what comes after a flag, each with what it does. */
export function valueBranches(
  places: readonly Place[],
  choose: (choices: readonly string[]) => string,
  suggest: (values: readonly string[]) => string,
  files: string,
): string[] {
  const branch = (path: string, flags: readonly Flag[], action: string) => {
    const patterns = flags.flatMap(({ names }) => names.map(name => quoted(`${path}:${name}`)));
    return patterns.length === 0 ? [] : [`    ${patterns.join('|')}) ${action}; return ;;`];
  };
  return places.flatMap(({ path, flags }) => {
    const valued = flags.filter(({ takesValue }) => takesValue);
    const named = valued.filter(({ choices, suggested }) => choices.length + suggested.length > 0);
    const any = valued.filter(flag => !named.includes(flag));
    const action = ({ choices, suggested }: Flag) => (choices.length > 0 ? choose(choices) : suggest(suggested));
    return [...named.flatMap(flag => branch(path, [flag], action(flag))), ...branch(path, any, files)];
  });
}

/** The branches of a `case` on `PATH` for what can stand there but files. */
export function wordBranches(places: readonly Place[]): string[] {
  return places.map(({ path, members, flags }) => {
    const words = [...members.map(({ name }) => name), ...flags.flatMap(({ names }) => names)];
    return `    ${quoted(path)}) offered=${quoted(words.join(' '))} members=${members.length} ;;`;
  });
}

/** A pattern of every path but the empty one. */
export function pathPattern(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|');
}
