/** What text is drawn on: how wide it is, what it can show, and how many columns a text takes there. */
import { styleText } from 'node:util';

export interface Screen {
  /** Columns; a file has no end. */
  readonly width?: number | undefined;
  /** Whether there are characters beyond ASCII. */
  readonly unicode: boolean;
  readonly colour: boolean;
}

/** A file, which others may read: no limits, no colour. */
export const paper: Screen = { unicode: true, colour: false };

/** Whether to colour is decided by the screen, not by Node's look at the environment. */
export function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { validateStream: false });
}

/** Drawn lines for screens without Unicode. */
export function asciiOnly(drawn: string): string {
  return drawn
    .replaceAll('─', '-')
    .replaceAll('█', '#')
    .replaceAll('░', '.')
    .replace(/[▏▎▍▌▋▊▉]/g, '');
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

/** Controls, ends of lines and marks of direction: what moves the cursor, colours or turns round what follows. */
const CONTROLS = '\\p{Cc}\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROL = new RegExp(`[${CONTROLS}]`, 'gu');
const DRAWN = new RegExp(`\\u001b\\[[0-9;]*m|[${CONTROLS}]`, 'gu');

/** Characters that would move the cursor or colour what follows, made visible: ids come from files. */
export function visible(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** The same for all that goes to a terminal: lines and tabs stay, and colours on a screen that has them. */
export function visibleLines(drawn: string, colour = false): string {
  return drawn.replace(DRAWN, found =>
    found === '\n' || found === '\t' || (colour && found.length > 1) ? found : '\ufffd',
  );
}

/** The same for JSON, which has words for them: readers get what was written. */
export function visibleJson(json: string): string {
  return json.replace(CONTROL, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
