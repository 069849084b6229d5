/** All that is tried. */
import type { Area } from './area.js';
import { faults } from './faults.js';
import { kills } from './kills.js';
import { limits } from './limits.js';
import { mutations } from './mutations.js';
import { pages } from './pages.js';
import { races } from './races.js';

export const areas: readonly Area[] = [...kills, ...mutations, ...faults, ...races, ...limits, ...pages];
