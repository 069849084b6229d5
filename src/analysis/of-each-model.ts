/** What is told of models, of one after the other, each with the name that it goes by. */
import type { Ranker } from '../models/ranker.js';
import { inTurns, type Steps } from '../steps.js';

export async function ofEachModel<T>(
  { models, names }: { readonly models: readonly Ranker[]; readonly names: readonly string[] },
  stepsOf: (model: Ranker) => Steps<T>,
  progress: (share: number) => void = () => {},
): Promise<(T & { readonly model: string })[]> {
  const found = [];
  for (const [m, model] of models.entries()) {
    const one = await inTurns(stepsOf(model), share => progress((m + share) / models.length));
    found.push({ model: names[m]!, ...one });
  }
  return found;
}
