/**
 * Model files: JSON with a format, the kind, the feature names, what the kind keeps, and a checksum over all of it. Numbers are
 * written as the shortest decimals that read back to the same value, so a saved model scores exactly as before.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeText } from '../data/whole-file.js';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { kinds, type ModelKind } from './all.js';
import { ModelReader } from './model-reader.js';
import type { Ranker } from './ranker.js';

/** Version 2 adds to trees: 32-bit sums, leaf values as short 32-bit decimals, and zeros that count as missing. */
const FORMAT = 'listwise/model/2';
const READABLE: readonly string[] = ['listwise/model/1', FORMAT];

/** The text of a model file. */
export function printModel(model: Ranker): string {
  const content = { format: FORMAT, kind: model.kind, featureNames: model.featureNames, ...model.toJSON() };
  const lines = Object.entries({ ...content, checksum: checksum(content) })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The model of a model file's text; `file` is its name in messages. */
export function parseModel(text: string, file?: string): Ranker {
  const fail = (what: string): never => {
    throw new ListwiseError('model-invalid', what, { file });
  };
  const json = parseJson(text);
  if (json === undefined) return fail(`not a listwise model: it is no JSON object${startOf(text)}`);
  if (typeof json.format !== 'string' || !READABLE.includes(json.format)) {
    const found = json.format === undefined ? 'none' : quote(String(json.format));
    return fail(
      `not a listwise model that this version reads: its "format" must be ${READABLE.join(' or ')}, found ${found}`,
    );
  }
  const { checksum: stated, ...content } = json;
  if (stated !== checksum(content)) return fail('the content does not match its checksum: it was damaged or changed');
  const names = Object.keys(kinds);
  const all: Readonly<Record<string, ModelKind>> = kinds;
  const kind = typeof content.kind === 'string' && Object.hasOwn(all, content.kind) ? all[content.kind] : undefined;
  if (kind === undefined) {
    return fail(
      `there is no kind of model ${quote(String(content.kind))}${didYouMean(String(content.kind), names)} Kinds: ${names.join(', ')}`,
    );
  }
  return kind.read(new ModelReader(content, file));
}

export async function saveModel(path: string, model: Ranker): Promise<void> {
  await writeText(path, sink => sink.write(printModel(model)));
}

export async function loadModel(path: string): Promise<Ranker> {
  const text = await readFile(path, 'utf8').catch(error => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ListwiseError('file-not-found', 'no such model file', { file: path });
    throw new ListwiseError('file-unreadable', `cannot be read (${code ?? error})`, { file: path });
  });
  return parseModel(text, path);
}

/** SHA-256 over the content as compact JSON: layout may change, values may not. */
function checksum(content: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function startOf(text: string): string {
  return text === '' ? ' (the file is empty)' : ` (it starts with ${quote(text.slice(0, 24))})`;
}
