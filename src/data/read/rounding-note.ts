/** What to say of features that 32-bit floating point rounds. */
import { quote } from '../../errors.js';

/** `rounded` are the features, and by how much whole numbers in them are off at most. */
export function roundingNote(rounded: ReadonlyMap<string, number>): string {
  const shown = [...rounded].map(([name, error]) => `${quote(name)} by up to ${Number(error.toPrecision(3))}`);
  return `features are 32-bit numbers, which round whole numbers beyond 2^24: ${shown.join(', ')}; where they are ids, leave them out with \`ignore: ${[...rounded.keys()].join(',')}\``;
}

/** The same of times; `rounded` is in days. */
export function timesNote(rounded: ReadonlyMap<string, number>): string {
  const shown = [...rounded].map(([name, days]) => `${quote(name)} by up to ${Math.ceil(days * 86_400)} s`);
  return `dates are 32-bit numbers of days, which round times: ${shown.join(', ')}; where that matters, give a number such as minutes since a late date`;
}
