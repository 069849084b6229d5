/**
 * `listwise/browser`: scoring in a browser. Nothing in it needs Node, and nothing asks for shared memory, so any page
 * can use it. Trees run in WebAssembly; where a browser lacks it or its vectors, or a page forbids compiling, in plain
 * JavaScript with the same scores.
 */
import { ListwiseError } from '../errors.js';
import { treesKernel } from '../kernels/score-trees.js';
import {
  checkedText,
  damaged,
  type ModelContent,
  modelContent,
  modelObject,
  readContent,
} from '../models/model-json.js';
import type { Ranker } from '../models/ranker.js';

export { ListwiseError } from '../errors.js';
export type { Ranker } from '../models/ranker.js';
export { type Scorer, scorer } from '../models/scorer.js';

export interface LoadOptions {
  /** Whether the model's checksum is compared (default true); browsers can on secure pages only (https, localhost). */
  verify?: boolean | undefined;
}

/** The model of a listwise model file: its text, or the object that the text is. */
export async function loadModel(
  file: string | Readonly<Record<string, unknown>>,
  options: LoadOptions = {},
): Promise<Ranker> {
  const { content, stated } = modelContent(typeof file === 'string' ? modelObject(file) : file);
  if (options.verify !== false && stated !== (await checksum(content))) throw damaged();
  await treesKernel.compile();
  return readContent(content);
}

/** What scores trees here. */
export function engine(): 'webassembly' | 'javascript' {
  return treesKernel.available ? 'webassembly' : 'javascript';
}

async function checksum(content: ModelContent): Promise<string> {
  const { subtle } = globalThis.crypto;
  if (subtle === undefined) {
    throw new ListwiseError(
      'model-invalid',
      'the checksum cannot be computed on a page that is not secure (https or localhost); { verify: false } loads the model unchecked',
    );
  }
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(checkedText(content))));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}
