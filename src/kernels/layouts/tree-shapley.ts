/** Tables of the kernel of Shapley values; kernels/tree-shapley.ts says what they are for. Places are in bytes. */
import { defineRecord } from '../record.js';

/**
 * An edge from a node to a child: the place of the child's products, the place of the split feature's value in a row,
 * and the place of the state of the edge above that splits the same feature (0 where there is none).
 */
export const EDGE = defineRecord({ child: 'u32', feature: 'u32', above: 'u32' });

/** States of an edge for a document: it goes another way; it goes this way; it has left the path at a split above. */
export const STATES = 3;
