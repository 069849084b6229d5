/** Numbers in JSON text against Number() rounded to 32 bits: of every length, at the middle of two float32, too. */
import { expect, it } from 'vitest';
import { nextAbove } from '#listwise/interop/float32.js';
import { JsonScanner } from '#listwise/kernels/scan-json.js';
import { Random } from '#listwise/numeric/random.js';

const WIDTH = 50;
const random = new Random(7, 'numbers');
const digits = (n: number) => Array.from({ length: n }, () => random.below(10)).join('');
const sign = () => (random.below(2) === 0 ? '' : '-');

const kinds: readonly (() => string)[] = [
  () => String(random.below(1000)),
  () => String(random.gaussian() * 10 ** (random.below(20) - 10)),
  () => String(Math.fround(random.gaussian() * 10 ** (random.below(20) - 10))),
  () => sign() + String(1 + random.below(9)) + digits(random.below(20)),
  () => `${sign()}0.${'0'.repeat(random.below(12))}${digits(1 + random.below(20))}`,
  () => `${sign()}${1 + random.below(9)}${digits(random.below(17))}.${digits(1 + random.below(18))}`,
  () => `${sign()}${1 + random.below(9)}.${digits(1 + random.below(17))}e${random.below(40) - 20}`,
  () => {
    const value = Math.fround(random.gaussian() * 100);
    return ((value + nextAbove(value)) / 2).toFixed(1 + random.below(20));
  },
];

it('reads every number as Number() does', () => {
  const scanner = new JsonScanner();
  for (let list = 0; list < 400; list++) {
    const texts = Array.from({ length: WIDTH }, () => kinds[random.below(kinds.length)]!());
    const text = Buffer.from(`[${texts.join(random.below(2) === 0 ? ',' : ' ,\n')}]`);
    const start = scanner.begin([text], text.length);
    expect(scanner.grow(WIDTH)).toBe(true);
    expect(scanner.row(start + 1, 0, WIDTH)).toBe(start + text.length);
    const expected = texts.map(one => Math.fround(Number(one)));
    expect([...scanner.rows(WIDTH)], texts.join(' ')).toEqual(expected);
  }
});

it.each(['01', '-', '1.', '.5', '1..2', '1.2.3', '1-2', '--1', '1/2', '00.5', '1234567890.123.45678', '1e', '-01.5'])(
  'refuses %s',
  wrong => {
    const scanner = new JsonScanner();
    const text = Buffer.from(`[1,${wrong}]`);
    const start = scanner.begin([text], text.length);
    scanner.grow(2);
    expect(scanner.row(start + 1, 0, 2)).toBe(0);
  },
);
