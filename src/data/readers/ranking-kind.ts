/** Tells runs and score files apart by their first line. */
import type { Input } from '../../io/inputs.js';
import { fields, finiteNumber } from '../../io/text-lines.js';

/** A first line that is longer is not looked for. */
const MOST_BYTES = 1 << 20;

/** The start of an input, its first line that says something, and the input whole, since stdin opens only once. */
export async function readStart(input: Input): Promise<{ start: Uint8Array; line: string; whole: Input }> {
  const chunks = input.open()[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  const text = () => Buffer.concat(head).toString('latin1');
  let line: string | undefined;
  for (let bytes = 0; bytes < MOST_BYTES && line === undefined; ) {
    const next = await chunks.next();
    if (next.done) break;
    head.push(next.value.slice());
    bytes += next.value.length;
    line = firstLine(text(), false);
  }
  const whole: Input = {
    ...input,
    async *open() {
      yield* head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    },
  };
  return { start: Buffer.concat(head), line: line ?? firstLine(text(), true) ?? '', whole };
}

function firstLine(text: string, ended: boolean): string | undefined {
  const lines = text.split('\n');
  if (!ended) lines.pop(); // not known to be whole
  return lines.find(line => line.trim() !== '' && !line.startsWith('#'));
}

/** Undefined where the line is of neither. */
export function rankingKind(line: string): 'run' | 'scores' | undefined {
  const { values } = fields(line.replace(/\r$/, ''));
  if (values.length >= 5 && values[1]!.toUpperCase() === 'Q0') return 'run';
  if (values.length >= 6 && finiteNumber(values[3]!) !== undefined && finiteNumber(values[4]!) !== undefined) {
    return 'run';
  }
  if (values.length === 3 && finiteNumber(values[2]!) !== undefined) return 'scores';
  return values.length === 1 && /^[+-]?([0-9.]|nan|inf)/i.test(values[0]!) ? 'scores' : undefined;
}
