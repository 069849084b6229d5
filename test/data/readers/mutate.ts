/** Seeded damage to text inputs, for the fuzz tests of line formats. */
import type { Random } from '#listwise/numeric/random.js';

const BYTES = [0, 9, 10, 13, 32, 32, 35, 43, 45, 46, 48, 49, 57, 65, 101, 110, 195, 169, 255];
const FIELDS = [
  'nan',
  'inf',
  '-1',
  '1e400',
  '1e5',
  '.5',
  '5.',
  '0x10',
  '',
  '-0',
  '1,5',
  '€',
  '#',
  '99999999999999999999',
];

/** A copy of `lines` with zero to four random damages, as bytes. */
export function mutated(random: Random, lines: readonly string[]): Buffer {
  const list = [...lines];
  const pick = () => random.below(Math.max(1, list.length));
  const ends = ['\n', '\n', '\n', '\r\n', '\n\n', ' \n'];
  for (let times = random.below(5); times > 0; times--) {
    switch (random.below(7)) {
      case 0:
        list.splice(pick(), 1);
        break;
      case 1:
        list.splice(pick(), 0, list[pick()] ?? '');
        break;
      case 2:
        random.shuffle(list);
        break;
      case 3: {
        const at = pick();
        const fields = (list[at] ?? '').split(/\s/);
        fields[random.below(fields.length)] = FIELDS[random.below(FIELDS.length)]!;
        list[at] = fields.join(random.below(2) === 0 ? ' ' : '\t');
        break;
      }
      case 4: {
        const at = pick();
        list[at] = `${list[at] ?? ''} extra`;
        break;
      }
      case 5: {
        const at = pick();
        list[at] = (list[at] ?? '').replace(/\s+\S+$/, '');
        break;
      }
      default:
        break;
    }
  }
  let bytes = Buffer.from(list.map(line => line + ends[random.below(ends.length)]!).join(''));
  for (let times = random.below(6) - 2; times > 0; times--) {
    const at = random.below(bytes.length + 1);
    const byte = Buffer.of(BYTES[random.below(BYTES.length)]!);
    const skip = random.below(2);
    bytes = Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at + skip)]);
  }
  return random.below(5) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}
