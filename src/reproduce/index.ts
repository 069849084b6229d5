export { type Experiment, type Finding, type Scale, scales } from './experiment.js';
export { experiments } from './experiments/all.js';
export { experimentFile } from './files.js';
export { keptFiles, keptResult, keptResults, notRun } from './kept.js';
export { Lab, type LabSettings } from './lab.js';
export { claimsMarkdown, readmeWith, resultMarkdown, written } from './markdown.js';
export { configOf, experimentOf, type Reproduced, reproduce } from './reproduce.js';
export { StepStore } from './step-store.js';
