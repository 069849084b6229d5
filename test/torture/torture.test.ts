/** A short form of `npm run torture`: some attempts in each area, the same ones every time. */
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { temporaryDirectory } from '../temporary.js';
import { areas } from './all.js';
import type { Attempt } from './area.js';

/** By what an attempt costs. */
const ATTEMPTS = { mutation: 20, kill: 2, fault: 2, race: 1, limit: 1, page: 1 };

const shared = temporaryDirectory();

describe.each(areas)('$name', area => {
  const missing = area.missing?.();
  it.skipIf(missing !== undefined)(`survives${missing === undefined ? '' : ` (skipped: ${missing})`}`, async () => {
    let tried = 0;
    const work = async (attempt: Attempt) => {
      for (let seed = 1; seed <= ATTEMPTS[area.unit]; seed++) {
        await attempt(new Random(seed, area.name));
        tried++;
      }
    };
    await area.open(temporaryDirectory(), work, shared);
    expect(tried).toBe(ATTEMPTS[area.unit]);
  });
});

it('areas have names of their own', () => expect(new Set(areas.map(({ name }) => name)).size).toBe(areas.length));
