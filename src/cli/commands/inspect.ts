import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Dataset } from '../../data/dataset.js';
import { type DataDescription, DESCRIPTION_FORMAT } from '../../data/description.js';
import { descriptionIn } from '../../data/description-schema.js';
import { inspectSteps } from '../../data/inspect.js';
import { readExactly } from '../../data/read/read-exactly.js';
import type { ReadOptions } from '../../data/readers/reader.js';
import { inspectModel } from '../../interop/inspect.js';
import { isModelFile } from '../../interop/open-model.js';
import { writeText } from '../../io/whole-file.js';
import { parseMeasure } from '../../measures/parse.js';
import { inspectDocument } from '../../report/commands/inspect.js';
import { modelDocument } from '../../report/commands/model.js';
import { estimateOf } from '../../report/mean-interval.js';
import { terminalText } from '../../report/render/terminal.js';
import { inTurns } from '../../steps.js';
import { type SingleFeature, singleFeatureSteps } from '../../training/baselines/single-features.js';
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
  const read = await readOptions(options, output);
  const data = await readExactly(name, read);
  if (options.describe !== undefined) await describeData(options.describe, name, data, read);
  const inspection = await inTurns(inspectSteps(data), output.shares('inspecting'));
  const { measure } = options;
  const alone =
    measure === undefined
      ? undefined
      : await inTurns(singleFeatureSteps(data, parseMeasure(measure)), output.shares('ranking by features'));
  const document = inspectDocument({
    inspection,
    alone,
    data: report === undefined ? undefined : data,
    first: firstRows(options),
    title: name,
    onProgress: output.shares('drawing'),
  });
  if (report !== undefined) {
    await writePage(report, { ...document, origin: originOf(line, [{ file: name, data }], output) }, output);
  }
  output.result('inspect', { ...inspection, ...(alone && { alone: alone.map(aloneJson) }) }, screen =>
    terminalText(document.sections, screen),
  );
}

function aloneJson({ feature, direction, result }: SingleFeature) {
  const { value, low, high } = estimateOf(result, 0.05);
  return { feature, direction, measure: result.asked, mean: value, ci: [low, high] };
}

/** Writes how the data is read; names of files are relative to where that is written. */
async function describeData(file: string, name: string, data: Dataset, read: ReadOptions): Promise<void> {
  const own = await descriptionIn(name);
  const from = (path: string) => (isAbsolute(path) ? path : relative(dirname(resolve(file)), resolve(path)) || '.');
  const source = own?.data ?? (name === '-' ? undefined : name);
  const judgments = read.judgments ?? read.description?.judgments ?? own?.judgments;
  const format = read.format ?? own?.format;
  const description: DataDescription = {
    schema: DESCRIPTION_FORMAT,
    ...(source !== undefined && { data: typeof source === 'string' ? from(source) : source.map(from) }),
    ...(format !== undefined && { format }),
    ...(data.description ?? { roles: {}, kinds: {}, missing: [], categories: {}, names: data.featureNames }),
    ...(judgments !== undefined && { judgments: from(judgments) }),
  };
  await writeText(file, sink => sink.write(`${JSON.stringify(description, undefined, 2)}\n`));
}
