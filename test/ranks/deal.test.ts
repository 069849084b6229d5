/** What moves from rank to rank, seen from one of them; the models that come of it are in models.test.ts. */
import { describe, expect, it } from 'vitest';
import { Dataset } from '#listwise/data/dataset.js';
import { selectQueries } from '#listwise/data/split.js';
import { deal } from '#listwise/ranks/deal.js';
import { alone, type Transport } from '#listwise/ranks/transport.js';

/** Queries of ten documents: a part of the data is 25 of them. */
const all = Dataset.from(
  Array.from({ length: 500 }, (_, i) => ({ query: `q${Math.floor(i / 10)}`, label: i % 3, a: i, b: -i })),
  { query: 'query', label: 'label' },
);
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** A rank of three, of which each has these queries. */
function transport(rank: number, cuts: readonly number[], sent: Map<number, number>): Transport {
  const own = (r: number) => selectQueries(all, numbers(cuts[r]!, cuts[r + 1]!));
  const bytes = (numbers: Float64Array) => new Uint8Array(numbers.buffer);
  return {
    ...alone,
    rank,
    size: 3,
    // Lengths of queries and numbers of them, which all ranks are told; documents are not among them.
    gather: part =>
      part.length === 8
        ? [0, 1, 2].map(r => bytes(Float64Array.of(own(r).queries)))
        : part.length === 8 * own(rank).queries
          ? [0, 1, 2].map(r => bytes(new Float64Array(own(r).queries).fill(10)))
          : [part],
    gatherAt(to, part) {
      sent.set(to, part.length);
      return to === rank ? [0, 1, 2].map(r => (r === rank ? part : new Uint8Array(0))) : [];
    },
  };
}

describe('documents', () => {
  it('go to the rank that is to have them, and to no other', () => {
    const sent = new Map<number, number>();
    const cuts = [0, 20, 40, 50];
    const dealt = deal(transport(1, cuts, sent), selectQueries(all, numbers(20, 40)));
    // The part of queries 0 to 24 begins on rank 0, that of 25 to 49 on this one.
    expect(dealt.share).toMatchObject({ firstQuery: 25, firstRow: 250, queries: 50, rows: 500 });
    expect(dealt.queryIds).toEqual(numbers(25, 40).map(q => `q${q}`));
    expect(sent.get(0)).toBeGreaterThan(2 * 4 * 50);
    expect([sent.get(1), sent.get(2)]).toEqual([0, 0]);
  });

  it('may all go: a rank is left with none', () => {
    const sent = new Map<number, number>();
    const dealt = deal(transport(1, [0, 3, 20, 50], sent), selectQueries(all, numbers(3, 20)));
    expect(dealt.share).toMatchObject({ firstQuery: 25, queries: 50 });
    expect([dealt.queries, dealt.rows, [...dealt.labels.keys()]]).toEqual([0, 0, ['label']]);
    expect(dealt.featureNames).toEqual(['a', 'b']);
    expect(sent.get(0)).toBeGreaterThan(2 * 4 * 170);
  });
});
