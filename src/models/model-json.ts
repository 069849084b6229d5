/**
 * What a model file holds: JSON with a format, the kind, the feature names, what the kind keeps, and a checksum over
 * all of it. Numbers are written as the shortest decimals that read back to the same value, so a saved model scores
 * exactly as before. Browsers use this, too: nothing here needs Node.
 */
import { type DataDescription, DESCRIPTION_FORMAT } from '../data/description.js';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { isKind, kinds, type Model, withDescription } from './all.js';
import { ModelReader } from './model-reader.js';

/** Version 2 adds 32-bit numbers as short decimals, and to trees 32-bit sums and zeros that count as missing. */
export const FORMAT = 'listwise/model/2';
const READABLE: readonly string[] = ['listwise/model/1', FORMAT];

/** All keys but the checksum, in their order. */
export type ModelContent = Readonly<Record<string, unknown>>;

/** The object that a text is; `file` is its name in messages. */
export function modelObject(text: string, file?: string): Record<string, unknown> {
  const json = parseJson(text);
  if (isObject(json)) return json;
  const start = text === '' ? ' (the file is empty)' : ` (it starts with ${quote(text.slice(0, 24))})`;
  throw new ListwiseError('model-invalid', `not a listwise model: it is no JSON object${start}`, { file });
}

/** The content and the checksum that it states; the format must be one that is read here. */
export function modelContent(
  json: Readonly<Record<string, unknown>>,
  file?: string,
): { content: ModelContent; stated: unknown } {
  if (typeof json.format !== 'string' || !READABLE.includes(json.format)) {
    const found = json.format === undefined ? 'none' : quote(String(json.format));
    throw new ListwiseError(
      'model-invalid',
      `not a listwise model that this version reads: its "format" must be ${READABLE.join(' or ')}, found ${found}`,
      { file },
    );
  }
  const { checksum: stated, ...content } = json;
  return { content, stated };
}

/** What the checksum, SHA-256 in hexadecimal, is of: the content as compact JSON. Layout may change, values may not. */
export function checkedText(content: ModelContent): string {
  return JSON.stringify(content);
}

export function damaged(file?: string): ListwiseError {
  return new ListwiseError('model-invalid', 'the content does not match its checksum: it was damaged or changed', {
    file,
  });
}

/** The model of a content whose checksum is right. */
export function readContent(content: ModelContent, file?: string): Model {
  const { kind } = content;
  if (!isKind(kind)) {
    const names = Object.keys(kinds);
    throw new ListwiseError(
      'model-invalid',
      `there is no kind of model ${quote(String(kind))}${didYouMean(String(kind), names)} Kinds: ${names.join(', ')}`,
      { file },
    );
  }
  const model: Model = kinds[kind].read(new ModelReader(content, file));
  return isDescription(content.data) ? withDescription(model, content.data) : model;
}

/** The checksum says that it is as it was written, from a description that was checked. */
function isDescription(value: unknown): value is DataDescription {
  return isObject(value) && value.schema === DESCRIPTION_FORMAT;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
