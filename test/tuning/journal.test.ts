/** A damaged journal is refused, or what was lost is trained again: never another result, never a stack. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ListwiseError } from '#listwise/errors.js';
import { Journal, type Piece, type PieceOutcome } from '#listwise/tuning/journal.js';
import { damaged } from '../mutations.js';
import { temporaryDirectory } from '../temporary.js';

const identity = { seed: 1, data: 'abc' };
const pieces: [Piece, PieceOutcome][] = Array.from({ length: 6 }, (_, fold) => [
  { values: { rate: 0.1 * fold, step: 'newton' }, share: 1, seed: 1, fold },
  fold === 3
    ? { error: { code: 'training-diverged', message: 'it ran off' } }
    : { values: [{ n: 9, mean: fold / 7, squares: 0.5 }], iteration: 3, iterations: 9, seconds: 0.25 },
]);

function written(): string {
  const file = join(temporaryDirectory(), 'folds.jsonl');
  const journal = Journal.open(file, identity);
  for (const [piece, outcome] of pieces) journal.add(piece, outcome);
  journal.close();
  return file;
}

describe('the journal of a search', () => {
  it('gives back what was added, values that are no numbers too', () => {
    const file = written();
    const first = Journal.open(file, identity);
    for (const [piece, outcome] of pieces) expect(first.get(piece)).toEqual(outcome);
    const odd: PieceOutcome = {
      values: [{ n: 0, mean: Number.NaN, squares: 0 }],
      iteration: 1,
      iterations: 1,
      seconds: 0,
    };
    const piece = { values: {}, share: 1, seed: 2, fold: 0 };
    first.add(piece, odd);
    first.close();
    const again = Journal.open(file, identity);
    expect(again.get(piece)).toEqual(odd);
    again.close();
  });

  it('says what changed', () => {
    expect(() => Journal.open(written(), { seed: 2, data: 'abc' })).toThrow(
      /differs in seed \(1, now 2\); give those again/,
    );
  });

  it('of 400 damaged ones none gives another outcome', () => {
    const file = written();
    const good = readFileSync(file, 'utf8');
    let refused = 0;
    for (let number = 0; number < 400; number++) {
      writeFileSync(file, damaged(good, number));
      try {
        const journal = Journal.open(file, identity);
        for (const [piece, outcome] of pieces) expect([outcome, undefined]).toContainEqual(journal.get(piece));
        journal.close();
      } catch (error) {
        refused++;
        if (!(error instanceof ListwiseError)) throw error;
        expect(error.code).toBe('checkpoint-invalid');
      }
    }
    expect(refused).toBeGreaterThan(200);
  });

  it('a line with a right checksum that is no outcome is refused', () => {
    const file = join(temporaryDirectory(), 'folds.jsonl');
    const journal = Journal.open(file, identity);
    journal.add({ values: {}, share: 1, seed: 1, fold: 0.5 }, { error: { code: 'a', message: 'b' } });
    journal.close();
    expect(() => Journal.open(file, identity)).toThrow(/folds\.jsonl:2: not an outcome of a search/);
  });
});
