/** What must be the same on every rank before training begins. */
import { ListwiseError, quote } from '../errors.js';
import { gatherValues } from './gathered.js';
import { ofAll, ranksInWords } from './together.js';
import type { Transport } from './transport.js';

/** By what it is called in messages. */
export type Agreed = Readonly<Record<string, unknown>>;

/** Refuses ranks that differ, naming them. */
export function agree(ranks: Transport, own: Agreed): void {
  const all = gatherValues(ranks, asText(own));
  const [first] = all;
  for (const key of new Set(all.flatMap(told => Object.keys(told)))) {
    const others = [...all.keys()].filter(rank => all[rank]![key] !== first![key]);
    if (others.length === 0) continue;
    const shown = (rank: number) => quote(all[rank]![key] ?? 'nothing');
    throw ofAll(
      new ListwiseError(
        'ranks-differ',
        `${ranksInWords(others)} and rank 0 differ in ${key}: ${shown(others[0]!)} on rank ${others[0]}, ${shown(0)} on rank 0; ` +
          'give every rank the same',
      ),
    );
  }
}

function asText(agreed: Agreed): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(agreed).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value ?? null),
    ]),
  );
}
