/** Tables of damaged-tables.ts, always the same ones. */
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../../../temporary.js';
import { damagedCsv, damagedJsonl, damagedParquet, type ReadDamaged } from './damaged-tables.js';

const CASES = 1000;

async function readAll(random: Random, read: ReadDamaged): Promise<void> {
  const counts = { read: 0, refused: 0 };
  for (let i = 0; i < CASES; i++) counts[await read(random)]++;
  expect(counts.read, JSON.stringify(counts)).toBeGreaterThan(CASES / 10);
  expect(counts.refused, JSON.stringify(counts)).toBeGreaterThan(CASES / 10);
}

describe(`${CASES} damaged inputs a format`, () => {
  it('csv', () => readAll(new Random(1, 'csv'), damagedCsv()));
  it('jsonl', () => readAll(new Random(2, 'jsonl'), damagedJsonl()));
  it('parquet', () => damagedParquet(temporaryDirectory(), CASES, read => readAll(new Random(3, 'parquet'), read)));
});
