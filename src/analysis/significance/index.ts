export { holm } from './holm.js';
export { type PairedResult, pairedComparison, type TestName, tests } from './paired.js';
export { randomisationTest } from './randomisation.js';
export { signTest } from './sign-test.js';
export { effectSize, meanInterval, tTest } from './t-test.js';
export type { TestResult } from './test-result.js';
export { wilcoxonTest } from './wilcoxon.js';
