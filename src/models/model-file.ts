/** Model files: what they hold is in model-json.ts. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unreadable } from '../io/unreadable.js';
import { writeText } from '../io/whole-file.js';
import type { Model } from './all.js';
import {
  checkedText,
  damaged,
  FORMAT,
  type ModelContent,
  modelContent,
  modelObject,
  readContent,
} from './model-json.js';
import type { Ranker } from './ranker.js';

/** The text of a model file. */
export function printModel(model: Ranker): string {
  const content = {
    format: FORMAT,
    kind: model.kind,
    featureNames: model.featureNames,
    data: model.description,
    ...model.toJSON(),
  };
  const lines = Object.entries({ ...content, checksum: checksum(content) })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The model of a model file's text; `file` is its name in messages. */
export function parseModel(text: string, file?: string): Model {
  const { content, stated } = modelContent(modelObject(text, file), file);
  if (stated !== checksum(content)) throw damaged(file);
  return readContent(content, file);
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

function checksum(content: ModelContent): string {
  return createHash('sha256').update(checkedText(content)).digest('hex');
}
