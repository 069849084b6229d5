import { checkDeployment } from '../../analysis/deploy-check.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { openImported } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { deployDocument } from '../../report/commands/deploy.js';
import { terminalText } from '../../report/render/terminal.js';
import type { CheckLine } from '../declarations/deploy/check.js';
import { inFlags } from '../flags.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { modelMatch, readOptions } from '../settings/data.js';
import { readEvaluation } from '../settings/evaluation.js';

export async function deployCheck(line: CheckLine, output: Output): Promise<void> {
  const { args, options } = line;
  const report = await reportTarget(options);
  const { measures, ties } = await readEvaluation(options, output);
  const { model, applied } = await openImported(args.model, {
    note: message => output.note(message),
    transformed: true,
  });
  const data = await readDataset(args.data, readFor(model, await readOptions(options, output)));
  const found = checkDeployment(model, data, {
    ...modelMatch(options, output),
    engine: options.engine,
    to: options.to,
    offset: options.offset,
    transform: options.transform,
    fileTransform: applied?.transform,
    measures,
    ties,
    examples: options.examples,
    progress: output.shares('scoring'),
  });
  const check = { ...found, losses: found.losses.map(inFlags), advice: found.advice.map(inFlags) };
  const document = deployDocument(check);
  if (report !== undefined) {
    const origin = originOf(line, [{ file: args.data, data }], output);
    await writePage(report, { ...document, origin }, output);
  }
  const { rule, ...value } = check;
  const { format, since, before, evidence } = rule;
  await output.resultTo(
    options.out,
    'deploy',
    { ...value, format, rule: { since, before, evidence } },
    screen => `${document.verdict}\n\n${terminalText(document.sections, screen)}`,
  );
}
