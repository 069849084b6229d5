/** Damage to files, from a seed: what disks, transfers and hands do to them. */
import { Random } from '#listwise/numeric/random.js';

/** A damaged copy of the text, another one for each number. */
export function damaged(text: string, number: number): string {
  const random = new Random(number, 'damage');
  const at = random.below(text.length);
  const lines = text.split('\n');
  const line = random.below(lines.length);
  const other = random.below(lines.length);
  const digits = [...text.matchAll(/\d/g)];
  const digit = digits[random.below(digits.length)]?.index ?? at;
  const forms: (() => string)[] = [
    () => text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(7))) + text.slice(at + 1),
    () => text.slice(0, digit) + ((Number(text[digit]) + 1 + random.below(9)) % 10) + text.slice(digit + 1),
    () => text.slice(0, at),
    () => text.slice(0, at) + '\0'.repeat(Math.min(512, text.length - at)) + text.slice(at + 512),
    () => text.slice(0, at) + text.slice(at + 1 + random.below(40)),
    () => lines.with(line, lines[other]!).with(other, lines[line]!).join('\n'),
    () => lines.toSpliced(line, 0, lines[line]!).join('\n'),
    () => lines.toSpliced(line, 1).join('\n'),
  ];
  return forms[number % forms.length]!();
}
