import { type FeatureSummary, type Inspection, inspectSteps, type LabelCount } from '../../data/inspect.js';
import { readDataset } from '../../data/read/read.js';
import { inspectModel, type ModelInspection } from '../../interop/inspect.js';
import { isModelFile } from '../../interop/open-model.js';
import { inspectPage } from '../../report/inspect-page.js';
import { modelPage } from '../../report/model-page.js';
import { inTurns } from '../../steps.js';
import type { InspectLine } from '../declarations/inspect.js';
import type { Output } from '../output.js';
import { originOf, reportTarget, writePage } from '../report-option.js';
import { readOptions } from '../settings/data.js';
import { count, right, table } from '../terminal/table.js';

const SHOWN_FEATURES = 20;
const BAR = 30;

export async function inspect(line: InspectLine, output: Output): Promise<void> {
  const { options } = line;
  const name = line.args.data;
  const report = await reportTarget(options);
  if (await isModelFile(name)) {
    const { model, inspection } = await inspectModel(name, { note: message => output.note(message) });
    if (report !== undefined) {
      const page = { model, inspection, origin: originOf(line, [], output), title: name };
      await writePage(report, modelPage(page), output);
    }
    output.result('inspect', { ...inspection }, () => modelText(inspection));
    return;
  }
  const data = await readDataset(name, readOptions(options, output));
  const inspection = await inTurns(inspectSteps(data), output.shares('inspecting'));
  if (report !== undefined) {
    const origin = originOf(line, [{ file: name, data }], output);
    const onProgress = output.shares('drawing');
    await writePage(report, inspectPage({ data, inspection, origin, title: name, onProgress }), output);
  }
  output.result('inspect', { ...inspection }, () => dataText(inspection, options.all));
}

function modelText(model: ModelInspection): string {
  const shown = model.features.slice(0, SHOWN_FEATURES).join(', ');
  const more = model.features.length > SHOWN_FEATURES ? `, … (${count(model.features.length)} in all)` : '';
  return table(
    [{ title: 'model' }, { title: model.kind }],
    [
      ['format', model.format],
      ['features', `${shown}${more}`],
      ['size', `${count(model.size)} bytes`],
    ],
  );
}

function dataText(data: Inspection, all: boolean): string {
  const { min, mean, max } = data.perQuery;
  const constant = data.features.filter(feature => feature.constant).length;
  const missing = data.features.filter(feature => feature.missing > 0).length;
  const overview = table(
    [{ title: 'data' }, right('')],
    [
      ['queries', count(data.queries)],
      ['documents', count(data.documents)],
      ['documents a query: fewest', count(min)],
      ['documents a query: mean', mean.toFixed(1)],
      ['documents a query: most', count(max)],
      ['queries without a label above 0', count(data.emptyQueries)],
      ['rows that repeat one of their query', count(data.duplicateRows)],
      ['features', count(data.features.length)],
      ['features that are constant', count(constant)],
      ['features with missing values', count(missing)],
    ],
  );
  const labels = Object.entries(data.labels).map(([name, counts]) => labelTable(name, counts));
  return [overview, ...labels, featureTable(data.features, all)].join('\n\n');
}

function labelTable(name: string, counts: readonly LabelCount[]): string {
  const most = Math.max(...counts.map(entry => entry.count));
  const total = counts.reduce((sum, entry) => sum + entry.count, 0);
  const title = counts.some(entry => entry.to !== undefined) ? `${name} (in ranges)` : name;
  const rows = counts.map(entry => [
    labelValue(entry),
    count(entry.count),
    `${((100 * entry.count) / total).toFixed(1)} %`,
    bar(entry.count / most),
  ]);
  return table([right(title), right('documents'), right('share'), { title: '' }], rows);
}

function labelValue({ value, to }: LabelCount): string {
  if (Number.isNaN(value)) return 'none';
  return to === undefined ? String(value) : `${short(value)} to ${short(to)}`;
}

/** A bar in eighths of a character. */
function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  return '█'.repeat(eighths >> 3) + (eighths & 7 ? '▏▎▍▌▋▊▉'[(eighths & 7) - 1]! : '');
}

function featureTable(features: readonly FeatureSummary[], all: boolean): string {
  if (features.length === 0) return 'no features';
  const shown = all ? features : features.slice(0, SHOWN_FEATURES);
  const text = table(
    [{ title: 'feature' }, right('min'), right('max'), right('missing'), { title: '' }],
    shown.map(({ name, min, max, missing, constant }) => [
      name,
      short(min),
      short(max),
      count(missing),
      constant ? 'constant' : '',
    ]),
  );
  const hidden = features.length - shown.length;
  return hidden === 0 ? text : `${text}\n… and ${count(hidden)} more (--all shows every one)`;
}

function short(value: number): string {
  return Number.isNaN(value) ? '-' : String(Number(value.toPrecision(6)));
}
