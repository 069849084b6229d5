/** Every format a data set can be read from. */
import type { Reader } from '../reader.js';

export const readers: readonly Reader[] = [];
