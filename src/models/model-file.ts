/** Model files: what they hold is in model-object.ts. */
import { readFile } from 'node:fs/promises';
import { unreadable } from '../io/unreadable.js';
import { writeText } from '../io/whole-file.js';
import type { Model } from './all.js';
import { parseObject, readObject } from './model-json.js';
import type { Ranker } from './ranker.js';

/** The text of a model file. */
export function printModel(model: Ranker): string {
  const lines = Object.entries(model.toJSON()).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The model of a model file's text, as `printModel` and `JSON.stringify` write it; `file` is its name in messages. */
export function parseModel(text: string, file?: string): Model {
  return readObject(parseObject(text, file), file);
}

export async function saveModel(path: string, model: Ranker): Promise<void> {
  await writeText(path, sink => sink.write(printModel(model)));
}

export async function loadModel(path: string): Promise<Model> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw unreadable(path, error, 'no such model file');
  });
  return parseModel(text, path);
}
