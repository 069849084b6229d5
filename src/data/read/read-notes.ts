/** What reading has to say of data. Parts that several processes read are spoken of as the one data set they are. */
import { plural, quote } from '../../errors.js';
import type { ReadOptions } from '../readers/reader.js';
import { roundingNote, timesNote } from './rounding-note.js';

export interface ReadFacts {
  readonly text: string;
  /** Features, and by how much whole numbers in them are off at most. */
  readonly rounded: ReadonlyMap<string, number>;
  /** The same of times, in days. */
  readonly times: ReadonlyMap<string, number>;
  /** Categories, and how many values had levels that the description does not list. */
  readonly unknownLevels: ReadonlyMap<string, number>;
  /** Documents without a label, and what became of them. */
  readonly unlabelled: { readonly documents: number; readonly done: string };
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
  rounded: (facts, names) => [roundingNote(merged(facts, names, Math.max))],
  times: (facts, names) => [timesNote(merged(facts, names, Math.max))],
  unknownLevels: (facts, names) => {
    const counts = merged(facts, names, (a, b) => a + b);
    const shown = [...counts].map(([name, values]) => `${quote(name)} (${values})`).join(', ');
    return [`values of categories that the description does not list count as missing: ${shown}`];
  },
  unlabelled: facts => {
    const documents = facts.reduce((sum, fact) => sum + fact.documents, 0);
    return [`${plural(documents, 'document')} without a label, ${facts[0]!.done}`];
  },
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

/** Numbers by feature, those of all facts put together. */
function merged(
  facts: readonly ReadonlyMap<string, number>[],
  names: readonly string[],
  together: (a: number, b: number) => number,
): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [name, own] of facts.flatMap(fact => [...fact])) all.set(name, together(own, all.get(name) ?? 0));
  return names.length === 0
    ? all
    : new Map(names.flatMap(name => (all.has(name) ? [[name, all.get(name)!] as const] : [])));
}
