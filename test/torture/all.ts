/** All that is tried. */
import type { Area } from './area.js';
import { faults } from './faults.js';
import { kills } from './kills.js';
import { limits } from './limits.js';
import { mutations } from './mutations.js';
import { pages } from './pages.js';
import { races } from './races.js';
import { ranks } from './ranks.js';
import { servers } from './servers.js';

export const areas: readonly Area[] = [
  ...kills,
  ...ranks,
  ...mutations,
  ...servers,
  ...faults,
  ...races,
  ...limits,
  ...pages,
];
