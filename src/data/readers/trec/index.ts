export { type JoinedRun, type JoinOptions, joinRun } from './join.js';
export { readQrels } from './qrels.js';
export { type Run, readRun } from './run.js';
