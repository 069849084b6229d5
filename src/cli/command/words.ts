/** From the words of a command line to what is written for each option, and the words without a flag. */
import { kebab, type ListwiseError, nearest } from '../../errors.js';
import { flagOf, type Options, usage } from './option.js';

export interface Sorted {
  /** Words without a flag, and where they stand. */
  readonly inputs: readonly { readonly word: string; readonly at: number }[];
  /** By the option's key, in the order in which they were given: every value, none for a switch. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly help: boolean;
  /** The first thing that is wrong; help does not mind. */
  readonly problem: ListwiseError | undefined;
}

export function sortWords(words: readonly string[], options: Options): Sorted {
  const keys = new Map<string, string>([
    ['-h', 'help'],
    ['--help', 'help'],
  ]);
  for (const [key, { short }] of Object.entries(options)) {
    keys.set(flagOf(key), key);
    if (short !== undefined) keys.set(`-${short}`, key);
  }
  const inputs: { word: string; at: number }[] = [];
  const given = new Map<string, readonly string[]>();
  const give = (key: string, value: string) => {
    const moved = options[key]!.elsewhere?.(value);
    const [to, own] = moved !== undefined && Object.hasOwn(options, moved[0]) ? moved : [key, value];
    given.set(to, [...(given.get(to) ?? []), own]);
  };
  let problem: (() => ListwiseError) | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      for (let after = at + 1; after < words.length; after++) inputs.push({ word: words[after]!, at: after });
      break;
    }
    if (!/^-./.test(word)) {
      inputs.push({ word, at });
      continue;
    }
    const [name, joined] = nameAndValue(word);
    const key = keys.get(name);
    const takes = key !== undefined && options[key]?.value !== undefined;
    if (key === undefined) {
      const next = words[at + 1];
      const value = joined ?? (next === undefined || next.startsWith('-') ? undefined : next);
      problem ??= () => unknown(name, value, options, given);
    } else if (!takes && joined !== undefined) problem ??= () => usage(`${name} takes no value, found "${joined}"`);
    else if (!takes || (joined === undefined && options[key]!.valueIf?.test(words[at + 1] ?? '') === false)) {
      given.set(key, []);
    } else {
      const value = joined ?? words[++at];
      if (value === undefined) problem ??= () => usage(`${name} needs a value: ${name} <${options[key]!.value}>`);
      else give(key, value);
    }
  }
  // Once all words are known: what was meant by one may be in another.
  return { inputs, given, help: given.has('help'), problem: problem?.() };
}

/** `--flag=value` and `-fvalue` are two in one. */
function nameAndValue(word: string): [string, string | undefined] {
  if (!word.startsWith('--')) return [word.slice(0, 2), word.slice(2) || undefined];
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function unknown(
  name: string,
  value: string | undefined,
  options: Options,
  given: ReadonlyMap<string, readonly string[]>,
): ListwiseError {
  const entries = Object.entries(options);
  const word = kebab(name.replace(/^--/, '').replaceAll('_', '-'));
  const [meant] = entries.flatMap(([, option]) => option.instead?.(word, value, given) ?? []);
  if (meant !== undefined) return usage(`unknown option '${name}'; ${meant}`);
  const tried = entries.find(([, option]) => option.tried?.includes(word))?.[0];
  const near = name.startsWith('--') ? nearest(word, ['help', ...entries.map(([key]) => kebab(key))]) : undefined;
  const right = tried ?? near;
  return usage(`unknown option '${name}'${right === undefined ? '' : `; did you mean ${flagOf(right)}?`}`);
}
