/** What every analysis has beside its own: options, and what becomes of its result. */

import type { AnalysisResult } from '../../analyses/analysis.js';
import type { CommandLine } from '../../command/command.js';
import type { OptionValues } from '../../command/option.js';
import { outOption, reportOption } from '../../options/report.js';
import type { Output } from '../../output.js';

export const analysisOptions = { ...outOption, ...reportOption };

export type AnalysedLine = Pick<CommandLine, 'words' | 'written'> & {
  readonly options: OptionValues<typeof analysisOptions> & { readonly seed: number | undefined };
};

/** Runs a loaded analysis and shows its result. */
export function running<L extends AnalysedLine>(
  load: () => Promise<(line: L, output: Output) => Promise<AnalysisResult>>,
): (line: L, output: Output) => Promise<void> {
  return async (line, output) => {
    const [{ analyse }, analysis] = await Promise.all([import('../../commands/analyse.js'), load()]);
    await analyse(line, analysis, output);
  };
}
