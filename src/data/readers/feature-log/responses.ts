/** Search responses out of a file: one a line, or one JSON text; the answer to `_msearch` is several in one object. */
import { ListwiseError } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import { parseJsonText } from '../../../io/json-text.js';
import { textLines } from '../../../io/text-lines.js';
import { JsonPlace } from './json-place.js';

/** A response in one text must fit a string; one a line is read line by line. */
const LONGEST_TEXT = 1 << 28;

export async function* responsesIn(input: Input): AsyncIterable<JsonPlace> {
  for await (const value of jsonTexts(input)) {
    if (value.has('responses')) yield* value.at('responses').list();
    else yield value;
  }
}

/** Whether a file has one JSON text a line is seen from its first line. */
async function* jsonTexts(input: Input): AsyncIterable<JsonPlace> {
  let perLine: boolean | undefined;
  let whole: string[] = [];
  let characters = 0;
  for await (const { lines, first } of textLines(input, LONGEST_TEXT)) {
    for (const [i, line] of lines.entries()) {
      const blank = line.trim() === '';
      if (!blank && perLine === undefined) perLine = isJson(line);
      if (perLine !== true) {
        whole.push(line);
        characters += line.length;
      } else if (!blank) yield parsed(line, input.name, first + i);
    }
    if (characters > LONGEST_TEXT) {
      throw new ListwiseError('data-too-large', 'a response of this size cannot be read whole; write one a line', {
        file: input.name,
      });
    }
  }
  if (perLine === undefined) throw new ListwiseError('data-empty', 'the file is empty', { file: input.name });
  if (perLine) return;
  const text = whole.join('\n');
  whole = [];
  yield parsed(text, input.name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `line` where the text is one line of several. */
function parsed(text: string, file: string, line?: number): JsonPlace {
  return new JsonPlace(parseJsonText(text, 'a feature log', 'table-syntax', file, line), { file, line });
}
