/**
 * A model as the object that its file is: JSON with a format, the kind, the feature names, what the kind keeps, and a
 * checksum over all of it. Numbers are written as the shortest decimals that read back to the same value, so a saved
 * model scores exactly as before. Browsers use this, too: nothing here needs Node.
 */
import { jsonPieces } from '../io/json-pieces.js';
import { sha256 } from '../numeric/sha256.js';
import type { ModelJson, Ranker } from './ranker.js';

/** Version 2 adds 32-bit numbers as short decimals, and to trees 32-bit sums and zeros that count as missing. */
export const FORMAT = 'listwise/model/2';
/** Version 3 adds splits by category, and is written for models that have some: others are read as before. */
export const FORMAT_OF_CATEGORIES = 'listwise/model/3';

/** All keys but the checksum, in their order. */
export type ModelContent = Readonly<Record<string, unknown>>;

/** `fields` are what the kind keeps. */
export function modelObject(
  { kind, featureNames, description, training }: Pick<Ranker, 'kind' | 'featureNames' | 'description' | 'training'>,
  fields: ModelJson,
  format: string = FORMAT,
): ModelJson {
  const memory = { ...(description && { data: description }), ...(training && { training }) };
  const content = { format, kind, featureNames, ...memory, ...fields };
  return { ...content, checksum: checksum(content) };
}

/** SHA-256 of the content as compact JSON: layout may change, values may not. */
export function checksum(content: ModelContent): string {
  return sha256(jsonPieces(content));
}
