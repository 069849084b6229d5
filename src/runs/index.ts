export { RUN_FILES, type RunFile } from './layout.js';
export { RunRecording } from './recording.js';
export { type LoggedIteration, RunFolder, type RunStart, type RunState } from './run-folder.js';
export { type RunData, type RunRecord, type RunStatus, runSchema } from './run-record.js';
