/** What becomes of the result of an analysis: JSON, text, a page. */
import { terminalText } from '../../report/render/terminal.js';
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
  if (output.ranks.rank > 0) {
    await analysis(line, output);
    return;
  }
  if (out !== undefined) await refuseUnwritable(out);
  const report = await reportTarget(line.options);
  const { document, results, facts, data } = await analysis(line, output);
  const { title, verdict, sections } = document;
  if (report !== undefined) {
    const origin = originOf(line, data, output);
    await writePage(report, { ...document, title: `listwise: ${title}`, origin }, output);
  }
  const value = { analysis: line.words[1], verdict, ...facts, results };
  await output.resultTo(out, 'analyse', value, screen => `${verdict}\n\n${terminalText(sections, screen)}`);
}
