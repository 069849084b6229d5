/** Every way of searching there is, by the name that --method takes. */
import { grid } from './grid.js';
import { halving } from './halving.js';
import type { SearchMethod } from './method.js';
import { random } from './random.js';
import { sequential } from './sequential.js';

/**
 * The ways of searching.
 *
 * @example
 * import { methods } from 'listwise/tuning';
 *
 * console.log(Object.keys(methods)); // sequential, random, grid, halving
 */
export const methods = { sequential, random, grid, halving } as const satisfies Record<string, SearchMethod>;

/**
 * The name of a way of searching.
 *
 * @example
 * import type { MethodName } from 'listwise/tuning';
 *
 * const method: MethodName = 'halving';
 */
export type MethodName = keyof typeof methods;
