/** Numbers as files may have them, right and wrong. */
import type { Random } from '#listwise/numeric/random.js';

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

/** A number of any shape; with `wild`, one in sixteen is none. */
export function numberText(random: Random, wild = true): string {
  if (wild && random.uniform() < 0.0625) return pick(random, NO_NUMBERS);
  const digits = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.below(10)).join('');
  const sign = () => pick(random, ['', '', '', '-', '+']);
  const shapes = [
    () => String(random.below(5)),
    () => sign() + digits(7),
    () => `${sign()}${digits(3)}.${digits(6)}`,
    () => `${sign()}${digits(9)}.${digits(9)}`,
    () => `${sign()}${digits(25)}.${digits(25)}`,
    () => `${sign()}.${digits(20)}`,
    () => `${sign()}${digits(20)}.`,
    () => `${sign()}${digits(3)}.${digits(17)}${pick(random, ['e-', 'E-', 'e+0', 'E', 'e'])}${random.below(35)}`,
    () => `${digits(2)}e-${digits(4)}`,
    () => `${digits(2)}e${random.below(37)}`,
    () => String(random.gaussian()),
    () => String(Math.fround(random.gaussian()) * 1e-40),
    // Right between two float32 values, and next to it.
    () => midpoint(random),
    () => pick(random, ['3.4028235e38', '-3.40282346e38', '1e-46', '1.17549435e-38', '1.1754942e-38']),
    () => pick(random, ['9007199254740993', '9007199254740992', '1e22', '1e23', '123456789012345678', '0.1e-22']),
    () => `0${'0'.repeat(random.below(30))}.${'0'.repeat(random.below(30))}1`,
  ];
  return pick(random, shapes)();
}

const NO_NUMBERS = [
  'inf',
  '-inf',
  'Infinity',
  '-nan',
  'nul',
  'nano',
  '1e39',
  '-1e400',
  '3.4028236e38',
  '3.4028235677973366e38',
  '.',
  '-',
  '+',
  '-.',
  'e5',
  '1e',
  '1e+',
  '0x10',
  '1_000',
  '1,5',
  '١',
  '--1',
  '1.2.3',
  '1:2',
  '5x',
  '1e5.0',
];

function midpoint(random: Random): string {
  const low = new Float32Array([random.gaussian()]);
  const bits = new Int32Array(low.buffer);
  const a = low[0]!;
  bits[0]! += 1;
  const middle = (a + low[0]!) / 2; // exact in float64
  return pick(random, [
    middle.toPrecision(17),
    middle.toFixed(60),
    `${middle.toFixed(60)}1`,
    middle.toPrecision(18),
    middle.toPrecision(19),
  ]);
}
