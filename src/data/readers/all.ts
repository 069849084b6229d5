/** Every format a data set can be read from. */
import type { Reader } from '../reader.js';
import { svmlight } from './svmlight/svmlight.js';

export const readers: readonly Reader[] = [svmlight];
