/**
 * A number of 64 bits as CatBoost reads it from JSON: its reader makes a number of the digits and then multiplies or
 * divides by a power of ten, each rounded, so that a number of more than 15 digits can come out beside its neighbour.
 */
const MOST_EXACT = 2n ** 53n - 1n;
const MOST_DIGITS = 17;
const LARGEST_POWER = 308;

/** What the text of a number, as JavaScript writes it, becomes there. */
export function catboostNumber(value: number): number {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  // Whole numbers are read as such.
  if (whole === undefined || (fraction === '' && exponent === '0')) return value;
  let exact = BigInt(whole);
  let power = Number(exponent);
  // The first digit before the point is not counted there.
  let digits = whole.length - 1;
  let place = 0;
  for (; place < fraction.length && exact <= MOST_EXACT; place++) {
    exact = exact * 10n + BigInt(fraction[place]!);
    power--;
    if (exact !== 0n) digits++;
  }
  let read = Number(exact);
  for (; place < fraction.length && digits < MOST_DIGITS; place++, digits++) {
    read = read * 10 + Number(fraction[place]);
    power--;
  }
  const scaled =
    power < -LARGEST_POWER ? scale(scale(read, -LARGEST_POWER), power + LARGEST_POWER) : scale(read, power);
  return value < 0 ? -scaled : scaled;
}

function scale(value: number, power: number): number {
  return power >= 0 ? value * Number(`1e${power}`) : value / Number(`1e${-power}`);
}
