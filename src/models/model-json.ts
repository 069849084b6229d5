/** From the text of a model file to its model; what it holds is in model-object.ts. Nothing here needs Node. */
import { type DataDescription, DESCRIPTION_FORMAT } from '../data/description.js';
import { atPlace, didYouMean, ListwiseError, quote, quoteJson } from '../errors.js';
import { isObject } from '../io/is-object.js';
import { isKind, kinds, type Model, withMemory } from './all.js';
import { checksum, FORMAT, FORMAT_OF_CATEGORIES, type ModelContent } from './model-object.js';
import { ModelReader } from './model-reader.js';
import type { TrainingRecord } from './training-record.js';

const READABLE: readonly string[] = ['listwise/model/1', FORMAT, FORMAT_OF_CATEGORIES];

/** The object that a text is; `file` is its name in messages. */
export function parseObject(text: string, file?: string): Record<string, unknown> {
  return asObject(parseJson(text), text.slice(0, 24), file);
}

/** What was parsed, where it is an object; `text` is how it starts. */
export function asObject(json: unknown, text: string, file?: string): Record<string, unknown> {
  if (isObject(json)) return json;
  const start = text === '' ? ' (the file is empty)' : ` (it starts with ${quote(text)})`;
  throw new ListwiseError('model-invalid', `not a listwise model: it is no JSON object${start}`, { file });
}

/** The model of an object; the format must be one that is read here, and the checksum right unless `unchecked`. */
export function readObject(json: Readonly<Record<string, unknown>>, file?: string, unchecked = false): Model {
  if (typeof json.format !== 'string' || !READABLE.includes(json.format)) {
    const { format } = json;
    const found = format === undefined ? 'none' : typeof format === 'string' ? quote(format) : quoteJson(format);
    throw new ListwiseError(
      'model-invalid',
      `not a listwise model that this version reads: its "format" must be one of ${READABLE.join(', ')}, found ${found}`,
      { file },
    );
  }
  const { checksum: stated, ...content } = json;
  if (!unchecked && stated !== checksumOf(content, file)) {
    throw new ListwiseError('model-invalid', 'the content does not match its checksum: it was damaged or changed', {
      file,
    });
  }
  return readContent(content, file);
}

function checksumOf(content: ModelContent, file?: string): string {
  try {
    return checksum(content);
  } catch {
    throw new ListwiseError('model-invalid', 'not a listwise model: it holds lists nested too deeply', { file });
  }
}

function readContent(content: ModelContent, file?: string): Model {
  const { kind } = content;
  if (!isKind(kind)) {
    const names = Object.keys(kinds);
    throw new ListwiseError(
      'model-invalid',
      `there is no kind of model ${quote(String(kind))}${didYouMean(String(kind), names)} Kinds: ${names.join(', ')}`,
      { file },
    );
  }
  const model: Model = atPlace({ file }, () => kinds[kind].read(new ModelReader(content, file)));
  return withMemory(model, {
    ...(isDescription(content.data) && { description: content.data }),
    ...(isTraining(content.training) && { training: content.training }),
  });
}

/** The checksum says that it is as it was written, from a description that was checked. */
function isDescription(value: unknown): value is DataDescription {
  return isObject(value) && value.schema === DESCRIPTION_FORMAT;
}

/** As above. */
function isTraining(value: unknown): value is TrainingRecord {
  return isObject(value) && typeof value.trainer === 'string' && isObject(value.options) && isObject(value.best);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
