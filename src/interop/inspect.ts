/** What a model file holds, in a few words. */
import { stat } from 'node:fs/promises';
import type { Ranker } from '../models/ranker.js';
import { modelContent } from './model-content.js';
import { type OpenOptions, useModel } from './open-model.js';

export interface ModelInspection {
  readonly kind: string;
  /** Name of the file's format. */
  readonly format: string;
  readonly features: readonly string[];
  /** Of the file, in bytes. */
  readonly size: number;
}

/** The model of a file, too, for those who want to say more of it. */
export async function inspectModel(
  file: string,
  options: OpenOptions = {},
): Promise<{ model: Ranker; inspection: ModelInspection }> {
  const { model, format } = useModel(await modelContent(file), file, options);
  const { kind, featureNames: features } = model;
  return { model, inspection: { kind, format, features, size: (await stat(file)).size } };
}
