export type { Chart } from './charts.js';
export { type ComparePage, comparePage } from './commands/compare.js';
export { type EvaluatePage, evaluatePage } from './commands/evaluate.js';
export { type InspectPage, inspectPage } from './commands/inspect.js';
export { type ModelPage, modelPage } from './commands/model.js';
export { type TrainPage, trainPage } from './commands/train.js';
export type { Block, Document, Origin, Report, Section } from './document.js';
export { renderReport, writeReport } from './render/html.js';
export { type ReportOptions, report } from './report.js';
