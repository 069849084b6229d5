/** What the terminal can show: colour, characters beyond ASCII, and how many columns a text takes there. */
import { styleText } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * FORCE_COLOR goes first, as in Node itself, then NO_COLOR; without either, colour is for terminals that are not dumb.
 */
export function takesColour(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return stream.isTTY === true;
}

/** Whether lines can be drawn over: progress is for terminals that can. */
export function takesProgress(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Whether the locale says UTF-8. Where it says nothing, as in many containers, UTF-8 it is. */
export function takesUnicode(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

/** Whether a line is the rule below the head of a table. */
export function isRule(line: string | undefined): boolean {
  return line !== undefined && /^[─-][─ -]*$/.test(line);
}

/** Heads of tables bold, their rules dim. Rules are the lines that consist of `─`, or of `-`. */
export function coloured(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, i) => {
      if (isRule(line)) return style('dim', line);
      return isRule(lines[i + 1]) ? style('bold', line) : line;
    })
    .join('\n');
}

/** Whether to colour is decided here, not by Node's look at the environment. */
export function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { validateStream: false });
}

/** A drawn line for terminals without UTF-8. */
export function asciiOnly(drawn: string): string {
  return drawn
    .replaceAll('─', '-')
    .replaceAll('█', '#')
    .replaceAll('░', '.')
    .replace(/[▏▎▍▌▋▊▉]/g, '');
}

/** Rules of tables and bars at the ends of lines without UTF-8; all else may come from the user's files and stays. */
export function plainRules(text: string): string {
  return text.replace(/^[─ ]+$|[█▏▎▍▌▋▊▉]+$/gm, asciiOnly);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences take no room
const ESCAPES = /\x1b\[[0-9;]*[A-Za-z]/g;
const NO_WIDTH = /^[\p{M}\p{Cf}]$/u;
/** What East Asian terminals show over two columns, and pictures. */
const WIDE =
  /^(\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])$/u;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(ESCAPES, '')) {
    if (character >= ' ' && character <= '~') width++;
    else if (!NO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Characters that would move the cursor or colour what follows, made visible: ids come from files. */
export function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
