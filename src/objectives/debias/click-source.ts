import { ListwiseError, quote } from '../../errors.js';
import type { Objective } from '../objective.js';

/** The one label source that an objective learns from: the clicks. */
export function clickSource({ labels, spec }: Objective): string {
  const [source, ...others] = labels;
  if (source !== undefined && others.length === 0) return source;
  throw new ListwiseError(
    'spec-parameter',
    `debias: propensities are of one label source, found ${labels.map(quote).join(' and ')} in ${spec}; put debias around the part that learns from clicks`,
  );
}
