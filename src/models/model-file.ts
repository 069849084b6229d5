/** Model files: what they hold is in model-object.ts. */
import { parseJsonBytes } from '../io/json-bytes.js';
import { jsonPieces } from '../io/json-pieces.js';
import { longText } from '../io/long-text.js';
import type { Model } from './all.js';
import { modelContent } from './model-content.js';
import { asObject, parseObject, readObject } from './model-json.js';
import type { Ranker } from './ranker.js';

/**
 * The text of a model file, a key a line; `JSON.stringify(model)` is the same on one line.
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { printModel } from 'listwise';
 *
 * await writeFile('model.json', printModel(model));
 */
export function printModel(model: Ranker): string {
  return longText(undefined, () => [...modelPieces(model)].join(''));
}

/** The same in pieces, for models of any size. */
export function* modelPieces(model: Ranker): Generator<string, void> {
  let before = '{\n';
  for (const [key, value] of Object.entries(model.toJSON())) {
    yield `${before}${JSON.stringify(key)}: `;
    yield* jsonPieces(value);
    before = ',\n';
  }
  yield '\n}\n';
}

/** The same as bytes. */
export function modelBytes(model: Ranker): Buffer {
  return Buffer.concat(Array.from(modelPieces(model), piece => Buffer.from(piece)));
}

/** The same as bytes in memory that threads share, from which `parseModel` makes the model anew. */
export function sharedModel(model: Ranker): Uint8Array {
  const bytes = modelBytes(model);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/**
 * The model of a model file's text or bytes, as `printModel` and `JSON.stringify` write it; `file` is its name in
 * messages.
 *
 * @example
 * import { parseModel } from 'listwise';
 *
 * const copy = parseModel(JSON.stringify(model));
 */
export function parseModel(text: string | Uint8Array, file?: string): Model {
  return readObject(typeof text === 'string' ? parseObject(text, file) : objectOf(text, file), file);
}

function objectOf(bytes: Uint8Array, file?: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = parseJsonBytes(bytes);
  } catch {} // said below, as where it is no object
  return asObject(json, Buffer.from(bytes.subarray(0, 100)).toString('utf8').slice(0, 24), file);
}

/**
 * Writes a model file.
 *
 * @example
 * import { saveModel, train } from 'listwise';
 *
 * const { model } = await train({ model: 'trees', data });
 * await saveModel('model.json', model);
 */
export async function saveModel(path: string, model: Ranker): Promise<void> {
  // Most programs that load this write no files.
  const { writeText } = await import('../io/whole-file.js');
  await writeText(path, async sink => {
    for (const piece of modelPieces(model)) await sink.write(piece);
  });
}

/**
 * The model of a model file; `openModel` of `listwise/interop` reads those of other systems, too.
 *
 * @example
 * import { loadModel } from 'listwise';
 *
 * const model = await loadModel('model.json');
 * console.log(model.kind, model.featureNames);
 */
export async function loadModel(path: string): Promise<Model> {
  return parseModel(await modelContent(path), path);
}
