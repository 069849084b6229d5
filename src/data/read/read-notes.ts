/** What reading has to say of data. Parts that several processes read are spoken of as the one data set they are. */
import { plural } from '../../errors.js';
import type { ReadOptions } from '../readers/reader.js';
import { roundingNote, timesNote } from './rounding-note.js';

export interface ReadFacts {
  readonly text: string;
  /** Features, and by how much whole numbers in them are off at most. */
  readonly rounded: ReadonlyMap<string, number>;
  /** The same of times, in days. */
  readonly times: ReadonlyMap<string, number>;
  /** Queries whose rows were not adjacent. */
  readonly scattered: number;
  /** Side files. */
  readonly weights: { readonly files: readonly string[]; readonly each: 'document' | 'query' };
  readonly initialScores: readonly string[];
  readonly positions: readonly string[];
}

/** One of them. */
export type ReadFact = Partial<ReadFacts>;

/** Said of all facts of a kind; `names` are the features, in their order. */
const words: {
  readonly [Kind in keyof ReadFacts]: (facts: readonly ReadFacts[Kind][], names: readonly string[]) => string[];
} = {
  text: texts => [...new Set(texts)],
  rounded: (facts, names) => [roundingNote(largest(facts, names))],
  times: (facts, names) => [timesNote(largest(facts, names))],
  scattered: counts => {
    const queries = counts.reduce((sum, count) => sum + count, 0);
    return [`rows of ${plural(queries, 'query', 'queries')} were not adjacent and were grouped`];
  },
  weights: facts => {
    // Of queries of one document each, a part of the data cannot tell.
    const each = facts.some(fact => fact.each === 'query') ? 'query' : 'document';
    return [`${facts.flatMap(({ files }) => files).join(', ')}: took one weight a ${each}`];
  },
  initialScores: files => [`${files.flat().join(', ')}: took initial scores`],
  positions: files => [`${files.flat().join(', ')}: took positions`],
};

/** By kind, in the order in which kinds were first found. */
export function factsInWords(facts: readonly ReadFact[], names: readonly string[] = []): string[] {
  const kinds = new Set(facts.flatMap(fact => Object.keys(fact) as (keyof ReadFacts)[])); // facts have no other keys
  return [...kinds].flatMap(kind => wordsOf(kind, facts, names));
}

function wordsOf<Kind extends keyof ReadFacts>(
  kind: Kind,
  facts: readonly ReadFact[],
  names: readonly string[],
): string[] {
  const own = facts.flatMap(fact => {
    const found: ReadFacts[Kind] | undefined = fact[kind];
    return found === undefined ? [] : [found];
  });
  return words[kind](own, names);
}

/** Says it, or hands it over where other processes read the rest of the data. */
export function tell({ note, part }: Pick<ReadOptions, 'note' | 'part'>, fact: ReadFact): void {
  if (part !== undefined) part.told.push(fact);
  else for (const text of factsInWords([fact])) note?.(text);
}

function largest(facts: readonly ReadonlyMap<string, number>[], names: readonly string[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const [name, error] of facts.flatMap(fact => [...fact])) most.set(name, Math.max(error, most.get(name) ?? 0));
  return names.length === 0
    ? most
    : new Map(names.flatMap(name => (most.has(name) ? [[name, most.get(name)!] as const] : [])));
}
