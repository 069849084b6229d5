/** What a model file holds, in a few words. */
import { stat } from 'node:fs/promises';
import type { DataDescription } from '../data/description.js';
import { modelContent } from '../models/model-content.js';
import type { Ranker } from '../models/ranker.js';
import type { TrainingRecord } from '../models/training-record.js';
import { type OpenOptions, useModel } from './open-model.js';

/**
 * What a model file holds.
 *
 * @example
 * import type { ModelInspection } from 'listwise/interop';
 *
 * const shown = ({ kind, size }: ModelInspection): string => `${kind}, ${size} bytes`;
 */
export interface ModelInspection {
  readonly kind: string;
  /** Name of the file's format. */
  readonly format: string;
  readonly features: readonly string[];
  /** How many of the features count in scores, where that is known. */
  readonly used?: number;
  /** How large the model is, in its own words, such as { trees: 500, leaves: 15500, depth: 9 }. */
  readonly parts: Readonly<Record<string, number | string>>;
  /** Of the file, in bytes. */
  readonly size: number;
  /** How it was trained, and how the data was read, where the file says so. */
  readonly training?: TrainingRecord;
  readonly data?: DataDescription;
}

/**
 * The model of a file, too, for those who want to say more of it.
 *
 * @example
 * import { inspectModel } from 'listwise/interop';
 *
 * const { inspection } = await inspectModel('model.json');
 * console.log(inspection.kind, inspection.format, inspection.features.length);
 */
export async function inspectModel(
  file: string,
  options: OpenOptions = {},
): Promise<{ model: Ranker; inspection: ModelInspection }> {
  const opened = useModel(await modelContent(file), file, options);
  const { format } = opened;
  const model: Ranker = opened.model;
  const { kind, featureNames: features, training, description: data } = model;
  const strengths = model.splitUse?.().splits ?? model.featureWeights?.() ?? model.inputStrengths?.();
  const inspection = {
    kind,
    format,
    features,
    ...(strengths && { used: strengths.filter(strength => strength !== 0).length }),
    parts: model.size?.() ?? {},
    size: (await stat(file)).size,
    ...(training && { training }),
    ...(data && { data }),
  };
  return { model, inspection };
}
