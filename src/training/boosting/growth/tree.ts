import { z } from 'zod';
import { BINS } from '../../../kernels/layouts/boosting.js';
import { count, oneOf } from '../../state-schema.js';
import { WIDE_BINS } from '../memory/layout.js';

/** A grown tree, in bins. Nodes are in the order in which they were split; a child c < 0 is leaf ~c. */
export interface GrownTree {
  /** Internal nodes. */
  readonly feature: number[];
  /** Documents with a bin up to this go left. */
  readonly bin: number[];
  readonly missingLeft: boolean[];
  /** Of a category: the bins that go left; null for a number. */
  readonly levels: (readonly number[] | null)[];
  readonly left: number[];
  readonly right: number[];
  readonly gain: number[];
  /** Documents that reach the node, and each leaf. */
  readonly documents: number[];
  readonly leafDocuments: number[];
}

/** One that was read, of at most so many leaves; whether its nodes are a tree is for the reader of models to say. */
export function grownTree(features: number, leaves: number): z.ZodType<GrownTree> {
  return z
    .object({
      feature: z.array(oneOf(features)).max(leaves - 1),
      bin: z.array(oneOf(BINS)),
      missingLeft: z.array(z.boolean()),
      levels: z.array(z.array(oneOf(WIDE_BINS)).nullable()),
      left: z.array(z.int()),
      right: z.array(z.int()),
      gain: z.array(z.number()),
      documents: z.array(count),
      leafDocuments: z.array(count),
    })
    .refine(({ leafDocuments, ...nodes }) => {
      const { length } = nodes.feature;
      return leafDocuments.length === length + 1 && Object.values(nodes).every(list => list.length === length);
    }, 'not as long as each other');
}
