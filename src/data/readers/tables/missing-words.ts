/** Texts that say that there is no value, compared without case and blanks around them. */

const USUAL: readonly string[] = ['', 'na', 'n/a', 'nan', '-nan', '+nan', 'null', 'none', '-'];

export class MissingWords {
  readonly #words: ReadonlySet<string>;

  /** `more` are words of the user's, beside the usual ones. */
  constructor(more: readonly string[] = []) {
    this.#words = new Set([...USUAL, ...more.map(plain)]);
  }

  has(text: string): boolean {
    return text.length <= 64 && this.#words.has(plain(text));
  }
}

function plain(text: string): string {
  return trimBlanks(text).toLowerCase();
}

/** Without the blanks and tabs around it; a line end in quotes is no blank. */
export function trimBlanks(text: string): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/g, '');
}

/** The usual words, for messages. */
export const missingWordsShown = 'empty, na, n/a, nan, null, none or - for missing';
