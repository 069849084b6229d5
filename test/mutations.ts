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

/** A value of another kind. */
const OTHERS = [null, 'x', true, {}, [], 7, { number: 'NaN' }, { float64: ['AAAAAAAA+H8='] }];

type Json = Record<string, unknown>;

/**
 * Changes something in what a key holds such that it is not made as before: something is left out or of another kind, a
 * list is shorter or longer, a number is none.
 */
export function malform(content: Json, first: string, random: Random): void {
  let [holder, key] = [content, first];
  const depth = 1 + random.below(6);
  for (let level = 0; level < depth && !isLeaf(holder[key]); level++) {
    const keys = Object.keys(holder[key] as Json);
    if (keys.length === 0) break;
    [holder, key] = [holder[key] as Json, keys[random.below(keys.length)]!];
  }
  const value = holder[key];
  const others = OTHERS.filter(other => kindOf(other) !== kindOf(value));
  const forms = [
    () => void delete holder[key], // of a list, it leaves null
    () => void (holder[key] = others[random.below(others.length)]),
    ...(Array.isArray(value) && value.length > 0 ? [() => void value.pop(), () => void value.push(value[0])] : []),
    ...(isFloats(value) ? [-8, 0].map(cut => () => void (holder[key] = spoiled(value, cut))) : []),
  ];
  forms[random.below(forms.length)]!();
}

type Floats = { readonly float64: readonly string[] };

function isFloats(value: unknown): value is Floats {
  return typeof value === 'object' && value !== null && 'float64' in value;
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isFloats(value) || 'number' in value;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return isFloats(value) ? 'floats' : Array.isArray(value) ? 'list' : typeof value;
}

/** With a last number that is none, or fewer bytes. */
function spoiled({ float64 }: Floats, cut: number): Floats {
  const bytes = Buffer.from(float64.join(''), 'base64');
  if (cut === 0 && bytes.length > 0) bytes.writeDoubleLE(Number.NaN, bytes.length - 8);
  return { float64: [bytes.subarray(0, Math.max(0, bytes.length + cut)).toString('base64')] };
}
