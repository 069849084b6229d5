/** What `listwise analyse NAME …` can do: one declared record a file, one line in `all.ts`. */
import type { Section } from '../../report/page.js';
import type { CommandArgument, CommandOption, OptionValues } from '../command.js';
import type { Output } from '../output.js';
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

export interface AnalysisDefinition {
  readonly name: string;
  readonly summary: string;
  /** As commander writes them, for the usage line; the last may be optional. */
  readonly arguments: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
  readonly examples: readonly string[];
  run(args: readonly string[], options: OptionValues, output: Output): Promise<AnalysisResult>;
}
