/** Tables of the kernel of Shapley values against a background; kernels/tree-background.ts fills them. */
import { defineRecord } from '../record.js';

/**
 * A node where a document and one of the background may part: its children, a leaf as ~leaf, and the place in
 * bytes of its feature's value in a row.
 */
export const FORK = defineRecord({ left: 'i32', right: 'i32', feature: 'u32' });
