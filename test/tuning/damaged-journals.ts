/** A journal to damage: it is refused, or what was lost is trained again. */
import { deepStrictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListwiseError } from '#listwise/errors.js';
import type { Random } from '#listwise/numeric/random.js';
import { Journal, type Piece, type PieceOutcome } from '#listwise/tuning/journal.js';
import { malform } from '../mutations.js';

export const identity = { seed: 1, data: 'abc' };
export const pieces: [Piece, PieceOutcome][] = Array.from({ length: 6 }, (_, fold) => [
  { values: { rate: 0.1 * fold, step: 'newton' }, share: 1, seed: 1, fold },
  fold === 3
    ? { error: { code: 'training-diverged', message: 'it ran off' } }
    : {
        values: [{ n: 9, mean: fold / 7, squares: 0.5 }],
        iteration: 3,
        iterations: 9,
        seconds: 0.25,
        curve: { iterations: [3, 6, 9], values: [fold / 9, fold / 7, fold / 8] },
      },
]);

/** Writes one, and gives its name. */
export async function writtenJournal(directory: string): Promise<string> {
  const file = join(directory, 'folds.jsonl');
  rmSync(file, { force: true }); // a damaged one of before
  const journal = await Journal.open(file, identity, 1);
  for (const [piece, outcome] of pieces) journal.add(piece, outcome);
  journal.close();
  return file;
}

/** The text with a line made such as no search writes it, and all checksums right. */
export function malformedJournal(text: string, random: Random): string {
  const entries = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).entry);
  const one = 1 + random.below(entries.length - 1);
  malform(entries[one], 'outcome', random);
  return chained(entries.map(entry => JSON.stringify(entry)));
}

/** Lines as a journal has them, whatever their texts. */
export function chained(texts: readonly string[]): string {
  let last = '';
  return texts
    .map(text => {
      last = createHash('sha256').update(last).update(text).digest('hex').slice(0, 16);
      return `{"checksum":"${last}","entry":${text}}\n`;
    })
    .join('');
}

/** Reads a text in the place of the journal. */
export async function readJournal(file: string, text: string): Promise<'read' | 'refused'> {
  writeFileSync(file, text);
  let journal: Journal;
  try {
    journal = await Journal.open(file, identity, 1);
  } catch (error) {
    if (error instanceof ListwiseError && error.code === 'checkpoint-invalid') return 'refused';
    throw error;
  }
  for (const [piece, outcome] of pieces) {
    const found = journal.get(piece);
    if (found !== undefined) deepStrictEqual(withoutCurve(found), withoutCurve(outcome));
  }
  journal.close();
  return 'read';
}

/** A curve is for a picture: a point of it may be no number. */
function withoutCurve(outcome: PieceOutcome): object {
  return { ...outcome, curve: undefined };
}
