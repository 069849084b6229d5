/** What the terminal can show: colour, characters beyond ASCII. */
import type { Screen } from '../../report/render/screen.js';

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

/** What results are drawn on; where there is no terminal, lines are as long as they are. */
export function screenOf(stream: { readonly isTTY?: boolean; readonly columns?: number }, env: Environment): Screen {
  const width = stream.isTTY && stream.columns ? stream.columns : undefined;
  return { width, unicode: takesUnicode(env), colour: takesColour(stream, env) };
}
