/** Model files: what they hold is in model-object.ts. */
import { readFile } from 'node:fs/promises';
import { longText } from '../io/long-text.js';
import { unreadable } from '../io/unreadable.js';
import { writeText } from '../io/whole-file.js';
import type { Model } from './all.js';
import { parseObject, readObject } from './model-json.js';
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
  const lines = Object.entries(model.toJSON()).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/**
 * The model of a model file's text, as `printModel` and `JSON.stringify` write it; `file` is its name in messages.
 *
 * @example
 * import { parseModel } from 'listwise';
 *
 * const copy = parseModel(JSON.stringify(model));
 */
export function parseModel(text: string, file?: string): Model {
  return readObject(parseObject(text, file), file);
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
  const text = longText(path, () => printModel(model));
  await writeText(path, sink => sink.write(text));
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
  const text = await readFile(path, 'utf8').catch(error => {
    throw unreadable(path, error, 'no such model file');
  });
  return parseModel(text, path);
}
