/** A damaged checkpoint gives the same model or a coded error: never another model, never a hang, never a stack. */
import { describe, expect, it } from 'vitest';
import { Random } from '#listwise/numeric/random.js';
import { damaged } from '../mutations.js';
import { temporaryDirectory } from '../temporary.js';
import { GoodCheckpoint, malformed, signed, trainers } from './damaged-checkpoints.js';

const MUTATIONS = 100;

describe('a checkpoint that was changed, its checksum too', () => {
  it.each([
    ['a child that is its own parent', /"left":\[-?\d+/, '"left":[0'],
    ['a feature that is not there', /"feature":\[\d+/, '"feature":[60000000'],
    [
      'a leaf value that is no number',
      /"float64":\["[^"]*"/,
      '"float64":["AAAAAAAA+H8AAAAAAAD4fwAAAAAAAPh/AAAAAAAA+H8="',
    ],
    ['a number that is split by levels', /"levels":\[null/, '"levels":[[]'],
    ['a number that is split by levels', /"levels":\[null/, '"levels":[[]'],
    ['no nodes', /"grown":\{/, '"grown":5,"other":{'],
    ['no log', /"log":\[/, '"log":5,"other":['],
  ])('%s: refused', async (_, what, other) => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainers[0]!).write();
    const changed = signed(good.text.replace(what, other));
    expect(changed).not.toBe(good.text);
    expect(await good.goOn(changed)).toBe('refused');
  });

  it.each([
    ['the next plane without its values', /("next":\{")psi/, '$1pqi'],
    ['the next plane with too few', /("next":\{"psi":\{"float64":\[")[^"]*/, '$1AAAAAAAA8D8='],
    ['a plane of the working set without its loss', /("planes":\[\{.*?")delta/, '$1dElta'],
  ])('an SVM with %s: refused', async (_, what, other) => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainers.find(([name]) => name === 'svm')!).write();
    const changed = signed(good.text.replace(what, other));
    expect(changed).not.toBe(good.text);
    expect(await good.goOn(changed)).toBe('refused');
  });

  it.each(trainers)('of %s, such as no training writes it: the same model or refused', async (...trainer) => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainer).write();
    for (let seed = 0; seed < MUTATIONS / 2; seed++) {
      const text = malformed(good.text, new Random(seed));
      if (text !== undefined)
        expect([seed, await good.goOn(text)]).toEqual([seed, expect.stringMatching(/same|refused/)]);
    }
  });

  it.each([
    ['an iteration that it has not', /"best":\{"iteration":\d/, '"best":{"iteration":7'],
    ['patience from elsewhere', /"since":\d/, '"since":0'],
    ['another best one in its log', /"best":true/, '"best":false'],
    ['more iterations than its log', /"iterations":\d/, '"iterations":9'],
    ['an iteration that comes twice', /"log":\[(\{.*?\}),\{.*?\}\]/, '"log":[$1,$1]'],
  ])('with %s: refused', async (_, what, other) => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainers[0]!).write();
    const changed = signed(good.text.replace(what, other));
    expect(changed).not.toBe(good.text);
    expect(await good.goOn(changed)).toBe('refused');
  });

  it.each(trainers)('of %s gives a model or a coded error, never a stack or a hang', async (...trainer) => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainer).write();
    for (let number = 1; number < 2 * MUTATIONS; number += 8) await good.goOn(signed(damaged(good.text, number)));
  });
});

describe.each(trainers)('a damaged checkpoint of %s', (...trainer) => {
  it(`${MUTATIONS} of them: the same model or a coded error`, async () => {
    const good = await new GoodCheckpoint(temporaryDirectory(), trainer).write();
    const seen = { same: 0, another: 0, refused: 0, failed: 0 };
    for (let number = 0; number < MUTATIONS; number++) seen[await good.goOn(damaged(good.text, number))]++;
    expect(seen).toMatchObject({ another: 0, failed: 0 });
    expect(seen.refused).toBeGreaterThan(MUTATIONS / 2);
  });
});
