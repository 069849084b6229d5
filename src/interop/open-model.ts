/** A model in a file of any format that is read, to be used here: no command asks for a conversion first. */
import { stat } from 'node:fs/promises';
import { tableReader } from '../data/read/read.js';
import { ListwiseError } from '../errors.js';
import { fileInput } from '../io/inputs.js';
import { modelContent } from '../models/model-content.js';
import type { Ranker } from '../models/ranker.js';
import { type Imported, importModel } from './convert.js';
import type { ModelFormat } from './format.js';
import { recognise } from './recognise.js';

/**
 * How a model is opened.
 *
 * @example
 * import type { OpenOptions } from 'listwise/interop';
 *
 * const options: OpenOptions = { note: text => console.warn(text) };
 */
export interface OpenOptions {
  /** Called with what one should know of a model of another system. */
  note?: ((text: string) => void) | undefined;
  /** Whether a file whose system makes something of sums may be opened: for those who do it, too. */
  transformed?: boolean | undefined;
}

/**
 * The model of a file, plain or gzipped; one that cannot be had without a loss is refused.
 *
 * @example
 * import { scoreData } from 'listwise';
 * import { openModel } from 'listwise/interop';
 *
 * const model = await openModel('lightgbm.txt');
 * console.log(scoreData(model, test)[0]);
 */
export async function openModel(file: string, options: OpenOptions = {}): Promise<Ranker> {
  return (await openImported(file, options)).model;
}

/** As above, with what is known of the file. */
export async function openImported(file: string, options: OpenOptions = {}): Promise<Imported> {
  return useModel(await modelContent(file), file, options);
}

/** As `openModel`, from what is in the file. */
export function useModel(content: Uint8Array, file: string, options: OpenOptions = {}): Imported {
  const imported = importModel(content, { file });
  const losses = imported.losses.filter(loss => !(options.transformed && loss === imported.applied?.loss));
  if (losses.length > 0) {
    const lost = losses.join('; ');
    throw new ListwiseError('conversion-lossy', `${lost}. convert \`lossy: true\` makes a model of it nevertheless`, {
      file,
    });
  }
  for (const note of imported.notes) options.note?.(`${file}: ${note}`);
  return imported;
}

/**
 * The format that a file starts as models of it do. What is no file has none (a pipe cannot be looked at without taking
 * from it), and a table is one by its name.
 */
export async function modelFormat(file: string): Promise<ModelFormat | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || tableReader(file) !== undefined) return undefined;
  try {
    for await (const chunk of (await fileInput(file)).open()) return recognise(chunk);
  } catch {
    // Not to be read, or damaged: whoever reads it as data says so.
  }
  return undefined;
}

export async function isModelFile(file: string): Promise<boolean> {
  return (await modelFormat(file)) !== undefined;
}
