/** How pages of tests came about. */
import type { Origin } from '#listwise/report/document.js';

export const origin: Origin = {
  command: 'listwise test',
  options: {},
  version: '0.0.0',
  node: '20.0.0',
  data: [],
  seed: 1,
};
