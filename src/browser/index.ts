/**
 * `listwise/browser`: scoring in a browser. Nothing in it needs Node, and nothing asks for shared memory, so any page
 * can use it. Trees run in WebAssembly; where a browser lacks it or its vectors, or a page forbids compiling, in plain
 * JavaScript with the same scores.
 */
import { treesKernel } from '../kernels/score-trees.js';
import type { Model } from '../models/all.js';
import { parseObject, readObject } from '../models/model-json.js';

export { ListwiseError } from '../errors.js';
export {
  createRanker,
  type DocumentRanker,
  type FeaturePart,
  type Rankable,
  type Ranked,
  type RankOptions,
} from '../models/create-ranker.js';
export type { FeatureValue } from '../models/feature-values.js';
export { rank } from '../models/rank.js';
export type { Ranker } from '../models/ranker.js';
export { type Scorer, scorer } from '../models/scorer.js';

/**
 * How a model is loaded.
 *
 * @example
 * import type { LoadOptions } from 'listwise/browser';
 *
 * const options: LoadOptions = { verify: false };
 */
export interface LoadOptions {
  /** Whether the model's checksum is compared (default true), which takes a moment for a model of many megabytes. */
  verify?: boolean | undefined;
}

/**
 * The model of a listwise model file: its text, or the object that the text is.
 *
 * @example
 * import { loadModel } from 'listwise/browser';
 *
 * const model = await loadModel(await (await fetch('model.json')).text());
 */
export async function loadModel(
  file: string | Readonly<Record<string, unknown>>,
  options: LoadOptions = {},
): Promise<Model> {
  const model = readObject(typeof file === 'string' ? parseObject(file) : file, undefined, options.verify === false);
  await treesKernel.compile();
  return model;
}

/**
 * What scores trees here.
 *
 * @example
 * import { engine } from 'listwise/browser';
 *
 * console.log(engine()); // webassembly
 */
export function engine(): 'webassembly' | 'javascript' {
  return treesKernel.available ? 'webassembly' : 'javascript';
}
