/** What an analysis gives: `listwise analyse NAME …` shows it. */
import type { Section } from '../../report/page.js';
import type { NamedData } from '../report-option.js';

export interface AnalysisResult {
  /** The answer in one sentence. */
  readonly verdict: string;
  /** One object a row of the answer, for other programs. */
  readonly results: readonly Readonly<Record<string, unknown>>[];
  /** Further facts for other programs: what was asked and what everything is measured against. */
  readonly facts?: Readonly<Record<string, unknown>>;
  text(): string;
  /** For --report; the command adds the verdict and the origin. */
  readonly page: AnalysisPage;
}

export interface AnalysisPage {
  readonly title: string;
  sections(): readonly Section[];
  /** What was analysed, for the page's origin. */
  readonly data: readonly NamedData[];
}
