/** What an analysis gives: `listwise analyse NAME …` shows it. */

import type { NamedData } from '../../report/data-origin.js';
import type { Document } from '../../report/document.js';

export interface AnalysisResult {
  readonly document: Document;
  /** One object a row of the answer, for other programs. */
  readonly results: readonly Readonly<Record<string, unknown>>[];
  /** Further facts for other programs: what was asked and what everything is measured against. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What was analysed, for the page's origin. */
  readonly data: readonly NamedData[];
}
