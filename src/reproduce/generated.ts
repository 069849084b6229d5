/** Generated data in three parts. */
import { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import { selectFeatures } from '../data/feature-subset.js';
import { generateDataset } from '../data/index.js';
import { PRIMARY_LABEL } from '../data/primary-label.js';

export const generatedConfig = z.strictObject({
  /** With its parameters, such as `cubic`. */
  generator: z.string(),
  documents: z.int(),
  /** So many documents for every query, not in the mean. */
  equalSizes: z.boolean().optional(),
  features: z.int().optional(),
  /** Of the features these alone, numbered from 0. */
  only: z.array(z.int()).optional(),
  clicks: z.boolean().optional(),
  clickRates: z.boolean().optional(),
  /** The share of documents with another grade than they should have, in every part. */
  flips: z.number().optional(),
  /** Where given, documents of this grade or a higher one have label 1 and all others 0. */
  relevantFrom: z.number().optional(),
  training: z.int(),
  validation: z.int().optional(),
  test: z.int().optional(),
});
export type GeneratedConfig = z.output<typeof generatedConfig>;

export type Part = 'training' | 'validation' | 'test';

/**
 * Test queries come first, then those to validate on, so that they are the same for every size of the training data.
 */
export function generatedPart(
  { generator, relevantFrom, only, training, validation = 0, test = 0, ...shape }: GeneratedConfig,
  part: Part,
  seed: number,
): Dataset {
  const [queries, skip] = {
    test: [test, 0],
    validation: [validation, test],
    training: [training, test + validation],
  }[part] as [number, number];
  const all = generateDataset(generator, { ...shape, seed, queries, skip });
  const data = only === undefined ? all : selectFeatures(all, only);
  if (relevantFrom === undefined) return data;
  const binary = data.label().map(grade => (grade >= relevantFrom ? 1 : 0));
  return data.with({ labels: new Map([...data.labels, [PRIMARY_LABEL, binary]]) });
}

export type Parts = (part: Part) => Dataset;

/** The parts of one seed, each made when it is first asked for. */
export function generatedParts(config: GeneratedConfig, seed: number): Parts {
  const made = new Map<Part, Dataset>();
  return part => {
    const data = made.get(part) ?? generatedPart(config, part, seed);
    made.set(part, data);
    return data;
  };
}
