/** What the kernel that reads JSON and its callers agree on. */
import { defineRecord } from '../record.js';

/** A name as texts have it, quotes included, and the place of its number in a row, in bytes. */
export const NAME = defineRecord({ text: 'u32', length: 'u32', place: 'u32' });
