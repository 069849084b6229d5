import { type Drift, DriftWatch, driftBetween, oneOfEachQuery } from '../../analysis/drift.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { ListwiseError } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { matchFeatures } from '../../models/match-features.js';
import { readFor } from '../../models/read-for.js';
import { fixed } from '../../report/numbers.js';
import { textTable } from '../../report/render/text-table.js';
import { count } from '../../report/words.js';
import { usage } from '../command/option.js';
import type { DriftLine } from '../declarations/drift.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';

/** Compares one document of each query, chosen by a hash, with what the model was trained on, or with other data. */
export async function drift(line: DriftLine, output: Output): Promise<void> {
  const { options } = line;
  const { found, documents, ...of } = await compared(line, output);
  const drifted = found.filter(item => item.drifted);
  const name = (feature: string | undefined) => feature ?? '(scores)';
  const scores = found.some(({ feature }) => feature === undefined);
  const features = scores ? `${found.length - 1} features and the scores` : `${found.length} features`;
  await output.resultTo(
    options.out,
    'drift',
    {
      ...of,
      queries: documents,
      alpha: options.alpha,
      drifted: drifted.map(({ feature }) => name(feature)),
      features: found.map(({ feature, ...rest }) => ({ feature: name(feature), ...rest })),
    },
    screen => {
      const share = (part: number) => `${fixed(100 * part, 1)} %`;
      const rows = (drifted.length > 0 ? drifted : found.slice(0, 5)).map(item => [
        name(item.feature),
        fixed(item.psi, 3),
        item.p < 1e-4 ? '<0.0001' : fixed(item.p, 4),
        share(item.below),
        share(item.above),
        `${share(item.missing)} (${share(item.missingBefore)})`,
      ]);
      const head = ['feature', 'psi', 'p', 'below', 'above', 'missing (was)'];
      const verdict =
        drifted.length === 0
          ? `nothing drifted: one document of each of ${count(documents)} queries`
          : `${drifted.length} of ${features} drifted: one document of each of ${count(documents)} queries`;
      return [
        verdict,
        textTable(
          head.map((title, c) => ({ title, ...(c > 0 && { align: 'right' as const }) })),
          rows,
          screen,
        ),
      ].join('\n');
    },
  );
}

interface Compared {
  readonly found: readonly Drift[];
  readonly documents: number;
  readonly model?: string;
  readonly trainedOn?: number;
  readonly against?: string;
}

async function compared({ args, options }: DriftLine, output: Output): Promise<Compared> {
  const { model: file, against, alpha, seed } = options;
  const read = await readOptions(options, output);
  if (against !== undefined) {
    const before = await readDataset(against, { ...read, unlabelled: true });
    const data = await readDataset(args.log, { ...readFor(before, read), unlabelled: true });
    return { against, found: driftBetween(before, data, seed, alpha), documents: data.queries };
  }
  if (file === undefined) throw usage('name what to compare with: --model FILE, or --against DATA');
  const model = await openModel(file, { note: message => output.note(message) });
  const { sketch } = model.training ?? {};
  if (sketch === undefined) {
    const why = 'it does not say how its training data was distributed; train it again with this version';
    throw new ListwiseError('model-unsupported', why, { file });
  }
  const data = await readDataset(args.log, { ...readFor(model, read), unlabelled: true });
  const columns = matchFeatures(model, data, { ...modelMatch(options, output), fill: true });
  const watch = new DriftWatch(sketch, model.featureNames);
  for (const row of oneOfEachQuery(data, columns, seed)) watch.add(row, 0, model.scoreRow(row));
  return { model: file, trainedOn: sketch.queries, found: watch.drifts(alpha), documents: watch.documents };
}
