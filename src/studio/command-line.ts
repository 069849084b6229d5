/** Command lines to copy: words that a shell would take apart, or do something with, are quoted. */
import { shellWord } from '../errors.js';

export function commandLine(...words: readonly string[]): string {
  return ['listwise', ...words.map(shellWord)].join(' ');
}

/** As `commandLine`, after the commands that make models which are in no file yet. */
export function commandWith(models: readonly { readonly madeBy?: string | undefined }[], ...words: readonly string[]) {
  const first = new Set(models.flatMap(({ madeBy }) => madeBy ?? []));
  return [...first, commandLine(...words)].join('\n');
}
