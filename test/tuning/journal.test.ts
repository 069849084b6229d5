/** A damaged journal is refused, or what was lost is trained again: never another result, never a stack. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { Journal, type PieceOutcome } from '#listwise/tuning/journal.js';
import { damaged } from '../mutations.js';
import { temporaryDirectory } from '../temporary.js';
import { chained, identity, malformedJournal, pieces, readJournal, writtenJournal } from './damaged-journals.js';

const written = () => writtenJournal(temporaryDirectory());

describe('the journal of a search', () => {
  it('gives back what was added, values that are no numbers too', async () => {
    const file = await written();
    const first = await Journal.open(file, identity, 1);
    for (const [piece, outcome] of pieces) expect(first.get(piece)).toEqual(outcome);
    const odd: PieceOutcome = {
      values: [{ n: 0, mean: Number.NaN, squares: 0 }],
      iteration: 1,
      iterations: 1,
      seconds: 0,
      curve: { iterations: [1], values: [Number.NaN] },
    };
    const piece = { values: {}, share: 1, seed: 2, fold: 0 };
    first.add(piece, odd);
    first.close();
    const again = await Journal.open(file, identity, 1);
    expect(again.get(piece)).toEqual(odd);
    again.close();
  });

  it('says what changed', async () => {
    await expect(Journal.open(await written(), { seed: 2, data: 'abc' }, 1)).rejects.toThrow(
      /differs in seed \(1, now 2\); give those again/,
    );
  });

  it('of 400 damaged ones none gives another outcome', async () => {
    const file = await written();
    const good = readFileSync(file, 'utf8');
    const seen = { read: 0, refused: 0 };
    for (let number = 0; number < 400; number++) seen[await readJournal(file, damaged(good, number))]++;
    expect(seen.refused).toBeGreaterThan(200);
  });

  it('of 400 that no search writes, their checksums right, none gives another outcome', async () => {
    const file = await written();
    const good = readFileSync(file, 'utf8');
    const seen = { read: 0, refused: 0 };
    for (let seed = 0; seed < 400; seed++) seen[await readJournal(file, malformedJournal(good, new Random(seed)))]++;
    expect(seen.refused).toBeGreaterThan(300);
  });

  it('a line that is no JSON, its checksum right, is refused', async () => {
    const file = await written();
    const [head] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, chained([JSON.stringify(JSON.parse(head!).entry), '{"piece":']));
    await expect(Journal.open(file, identity, 1)).rejects.toThrow(/folds\.jsonl:2: the line is no JSON; start over/);
  });

  it('has one writer', async () => {
    const file = await written();
    const first = await Journal.open(file, identity, 1);
    await expect(Journal.open(file, identity, 1)).rejects.toMatchObject({ code: 'run-exists' });
    first.close();
    (await Journal.open(file, identity, 1)).close();
  });

  it('a line with a right checksum that is no outcome is refused', async () => {
    const file = join(temporaryDirectory(), 'folds.jsonl');
    const journal = await Journal.open(file, identity, 1);
    journal.add({ values: {}, share: 1, seed: 1, fold: 0.5 }, { error: { code: 'a', message: 'b' } });
    journal.close();
    await expect(Journal.open(file, identity, 1)).rejects.toThrow(/folds\.jsonl:2: not an outcome of a search/);
  });
});
