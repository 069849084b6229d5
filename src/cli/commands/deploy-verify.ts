import { verifyDeployment } from '../../analysis/deploy-verify.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { readSearchAnswers } from '../../data/readers/feature-log/search-answers.js';
import { openImported } from '../../interop/open-model.js';
import { readFor } from '../../models/read-for.js';
import { verifyDocument } from '../../report/commands/deploy.js';
import { terminalText } from '../../report/render/terminal.js';
import type { VerifyLine } from '../declarations/deploy/verify.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { followedInput, modelMatch, readOptions } from '../settings/data.js';

export async function deployVerify(line: VerifyLine, output: Output): Promise<void> {
  const { args, options } = line;
  const report = await reportTarget(options);
  const { model, applied } = await openImported(args.model, {
    note: message => output.note(message),
    transformed: true,
  });
  const answers = await readSearchAnswers(await followedInput(args.answers, output));
  const data = await readDataset(args.data, readFor(model, await readOptions(options, output)));
  const { engine, to, offset, transform, examples } = options;
  const { rule, ...found } = verifyDeployment(model, data, answers, {
    ...modelMatch(options, output),
    engine,
    to,
    offset,
    transform,
    fileTransform: applied?.transform,
    examples,
    progress: output.shares('scoring'),
  });
  const document = verifyDocument({ ...found, rule });
  if (report !== undefined) {
    const origin = originOf(line, [{ file: args.data, data }], output);
    await writePage(report, { ...document, origin }, output);
  }
  const { format, since, before, evidence } = rule;
  await output.resultTo(
    options.out,
    'deploy',
    { ...found, format, rule: { since, before, evidence } },
    screen => `${document.verdict}\n\n${terminalText(document.sections, screen)}`,
  );
}
