/** What becomes of the result of an analysis: JSON, text, a page. */
import type { AnalysisResult } from '../analyses/analysis.js';
import type { AnalysedLine } from '../declarations/analyses/running.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { refuseUnwritable } from '../writable.js';

export async function analyse<L extends AnalysedLine>(
  line: L,
  analysis: (line: L, output: Output) => Promise<AnalysisResult>,
  output: Output,
): Promise<void> {
  const { out } = line.options;
  if (out !== undefined) await refuseUnwritable(out);
  const report = await reportTarget(line.options);
  const { verdict, results, facts, text, page } = await analysis(line, output);
  if (report !== undefined) {
    const written = {
      title: `listwise: ${page.title}`,
      verdict,
      sections: page.sections(),
      origin: originOf(line, page.data, output),
    };
    await writePage(report, written, output);
  }
  const value = { analysis: line.words[1], verdict, ...facts, results };
  await output.resultTo(out, 'analyse', value, () => `${verdict}\n\n${text()}`);
}
