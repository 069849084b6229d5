/** How far the scores of a node's documents are to move: what leaves are worth, and what splits are measured by. */

export interface StepLimits {
  /** Taken off the size of the sum of lambdas. */
  readonly l1: number;
  readonly l2: number;
  /** The longest step; Infinity for none. */
  readonly maxStep: number;
  /** Documents that count as much as the step of the node above. */
  readonly pathSmoothing: number;
}

/** Sums in real numbers; `parent` is the step of the node above, which the root has not. */
export function nodeStep(
  { lambda, hessian, documents }: { readonly lambda: number; readonly hessian: number; readonly documents: number },
  parent: number | undefined,
  { l1, l2, maxStep, pathSmoothing }: StepLimits,
  rate = 1,
): number {
  const drawn = Math.sign(lambda) * Math.max(Math.abs(lambda) - l1, 0);
  const below = hessian + l2;
  const step = below > 0 ? Math.max(Math.min((rate * drawn) / below, rate * maxStep), -rate * maxStep) : 0;
  if (pathSmoothing === 0 || parent === undefined) return step;
  const share = documents / (documents + pathSmoothing);
  return step * share + rate * parent * (1 - share);
}
