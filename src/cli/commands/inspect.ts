import { inspectSteps } from '../../data/inspect.js';
import { readDataset } from '../../data/read/read.js';
import { inspectModel } from '../../interop/inspect.js';
import { isModelFile } from '../../interop/open-model.js';
import { inspectDocument } from '../../report/commands/inspect.js';
import { modelDocument } from '../../report/commands/model.js';
import { terminalText } from '../../report/render/terminal.js';
import { inTurns } from '../../steps.js';
import type { InspectLine } from '../declarations/inspect.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { readOptions } from '../settings/data.js';
import { firstRows } from '../terminal/row-limit.js';

export async function inspect(line: InspectLine, output: Output): Promise<void> {
  const { options } = line;
  const name = line.args.data;
  const report = await reportTarget(options);
  if (await isModelFile(name)) {
    const { model, inspection } = await inspectModel(name, { note: message => output.note(message) });
    const document = modelDocument({ model, inspection, title: name });
    if (report !== undefined) await writePage(report, { ...document, origin: originOf(line, [], output) }, output);
    output.result('inspect', { ...inspection }, screen => terminalText(document.sections, screen));
    return;
  }
  const data = await readDataset(name, readOptions(options, output));
  const inspection = await inTurns(inspectSteps(data), output.shares('inspecting'));
  const document = inspectDocument({
    inspection,
    data: report === undefined ? undefined : data,
    first: firstRows(options),
    title: name,
    onProgress: output.shares('drawing'),
  });
  if (report !== undefined) {
    await writePage(report, { ...document, origin: originOf(line, [{ file: name, data }], output) }, output);
  }
  output.result('inspect', { ...inspection }, screen => terminalText(document.sections, screen));
}
