/** Side files of one value a line: weights, initial scores, positions, further labels. */
import { ListwiseError, quote } from '../../errors.js';
import type { Input } from '../../io/inputs.js';
import { finiteNumber, textLines } from '../../io/text-lines.js';

export interface SideValues {
  /** What a value is, for messages: "weight". */
  readonly what: string;
  /** What is allowed, where the value is not; NaN stands for a value that is left out. */
  readonly problem: (value: number) => string | undefined;
}

/** All values, in order; see `sideValues`. */
export async function readSideValues(inputs: readonly Input[], kind: SideValues): Promise<Float64Array> {
  let values = new Float64Array(1024);
  let count = 0;
  for await (const some of sideValues(inputs, kind)) {
    if (count + some.length > values.length) {
      const grown = new Float64Array(2 * (count + some.length));
      grown.set(values);
      values = grown;
    }
    values.set(some, count);
    count += some.length;
  }
  return values.subarray(0, count);
}

/** Values as they are read; several files count as one after another. An empty line, `nan`, `null` or `na` is NaN. */
export async function* sideValues(inputs: readonly Input[], kind: SideValues): AsyncGenerator<Float64Array> {
  for (const input of inputs) {
    for await (const { lines, first } of textLines(input)) {
      yield Float64Array.from(lines, (text, i) => {
        const value = sideValue(text);
        const problem = value === undefined ? kind.problem(Infinity) : kind.problem(value);
        if (problem === undefined) return value!;
        const place = { file: input.name, line: first + i };
        throw new ListwiseError('value-invalid', `the ${kind.what} is ${quote(text)}; it must be ${problem}`, place);
      });
    }
  }
}

/** Undefined for text that is neither a finite number nor a mark for "none". */
function sideValue(line: string): number | undefined {
  const text = line.trim();
  return /^(|nan|null|na)$/i.test(text) ? Number.NaN : finiteNumber(text);
}
