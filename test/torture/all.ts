/** All that is tried. */
import type { Area } from './area.js';
import { kills } from './kills.js';
import { mutations } from './mutations.js';

export const areas: readonly Area[] = [...kills, ...mutations];
