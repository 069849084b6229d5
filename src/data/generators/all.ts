/** Every generator of artificial data there is. */
import { cubic } from './cubic.js';
import type { GeneratorDefinition } from './generator.js';
import { mslr } from './mslr.js';
import { net } from './net.js';
import { td } from './td.js';

/**
 * Every kind of generated data.
 *
 * @example
 * import { generators } from 'listwise/data';
 *
 * for (const { name, title } of generators) console.log(name, title);
 */
export const generators = [cubic, net, mslr, td] as const satisfies readonly GeneratorDefinition[];

/**
 * The name of a kind of generated data.
 *
 * @example
 * import { type GeneratorName, generators } from 'listwise/data';
 *
 * const names: GeneratorName[] = generators.map(({ name }) => name);
 */
export type GeneratorName = (typeof generators)[number]['name'];
