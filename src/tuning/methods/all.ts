/** Every way of searching there is, by the name that --method takes. */
import { grid } from './grid.js';
import { halving } from './halving.js';
import type { SearchMethod } from './method.js';
import { random } from './random.js';
import { sequential } from './sequential.js';

export const methods = { sequential, random, grid, halving } as const satisfies Record<string, SearchMethod>;

export type MethodName = keyof typeof methods;
