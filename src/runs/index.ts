export { RUN_FILES } from './layout.js';
export { type LoggedIteration, RunFolder, type RunStart, type RunState } from './run-folder.js';
export { type RunRecord, type RunStatus, runSchema } from './run-record.js';
