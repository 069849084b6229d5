/** Every generator of artificial data there is. */
import { cubic } from './cubic.js';
import type { GeneratorDefinition } from './generator.js';
import { mslr } from './mslr.js';
import { net } from './net.js';

export const generators = [cubic, net, mslr] as const satisfies readonly GeneratorDefinition[];

export type GeneratorName = (typeof generators)[number]['name'];
